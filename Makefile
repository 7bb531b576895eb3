# make demo, make test and make bench each set up what they need; see README.md.
# They say what they install; everything else lands in build/ and build-asan/.

PYTHON := build/venv/bin/python
PYTEST_FLAGS ?=

.PHONY: help demo test test-cpp test-python test-asan bench lint format packages venv build build-asan clean

help:
	@echo "make demo    build, and lower a real exported model that ONNX Runtime refuses"
	@echo "make test    build, and run all tests, the sanitizers' too"
	@echo "make bench   time and memory on generated models, against cp and other tools"
	@echo "make lint    clang-tidy, clang-format and shellcheck over our own files"
	@echo "make format  clang-format our own files"
	@echo "make build   only build; the tool is then build/onnx-lower"

packages:
	@scripts/install_packages

build: packages
	@cmake --preset default --log-level=WARNING
	@cmake --build --preset default

# It links the onnx that the ordinary build has made.
build-asan: build
	@cmake --preset asan --log-level=WARNING
	@cmake --build --preset asan

venv: packages
	@scripts/make_venv build/venv

demo: build venv
	@$(PYTHON) scripts/demo.py

# All of them, also when some fail; the largest comes last, so that its summary is the last thing seen.
test:
	@$(MAKE) --no-print-directory --keep-going test-cpp test-asan test-python

test-cpp: build
	@ctest --preset default

# The C++ tests, and the tool itself, with every error fatal. The golden texts lead it through the same rules as the numbers,
# which are the runtimes' work more than its own.
test-asan: build-asan venv
	@ctest --preset asan
	@ONNX_LOWER=build-asan/onnx-lower $(PYTHON) -m pytest -q -n auto tests/python --ignore=tests/python/test_numbers.py $(PYTEST_FLAGS)

test-python: build venv
	@ONNX_LOWER=build/onnx-lower $(PYTHON) -m pytest -n auto tests/python $(PYTEST_FLAGS)

bench: build venv
	@ONNX_LOWER=build/onnx-lower $(PYTHON) bench/bench.py $(BENCH_FLAGS)

lint: build
	@scripts/lint

format:
	@scripts/install_packages lint
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

clean:
	rm -rf build build-asan build-debug build-lint
