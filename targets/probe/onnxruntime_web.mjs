// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ONNX Runtime for the browser (WebAssembly), in Node, as a program that runtimes.py asks: `node onnxruntime_web.mjs NODE_MODULES`.
// Each line of its standard input is a request in JSON, {"load": PATH} or {"run": [{name, type, dims, data}]}, and each line of its output the answer:
// {} or {"outputs": [{type, dims, data}]}, or {"error": MESSAGE}. Elements are bytes in hexadecimal, strings a list.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const dist = path.resolve(process.argv[2], "onnxruntime-web", "dist");
const ort = await import(pathToFileURL(path.join(dist, "ort.wasm.min.mjs")));
ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = pathToFileURL(dist + "/").href;
ort.env.logLevel = "fatal";

const arrays = {
  float32: Float32Array, float64: Float64Array, float16: Uint16Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array,
  int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, bool: Uint8Array,
};

function tensor({ type, dims, data }) {
  if (type === "string") return new ort.Tensor("string", data, dims);
  const bytes = Uint8Array.from(Buffer.from(data, "hex"));
  return new ort.Tensor(type, new arrays[type](bytes.buffer), dims);
}

function written({ type, dims, data }) {
  if (type === "string") return { type, dims, data: Array.from(data) };
  return { type, dims, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("hex") };
}

let session = null;

async function answer(request) {
  if (request.load) {
    if (session) await session.release();
    session = null;
    session = await ort.InferenceSession.create(fs.readFileSync(request.load), { executionProviders: ["wasm"], logSeverityLevel: 4 });
    return {};
  }
  const results = await session.run(Object.fromEntries(request.run.map((input) => [input.name, tensor(input)])));
  return { outputs: session.outputNames.map((name) => written(results[name])) };
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  let found;
  try {
    found = await answer(JSON.parse(line));
  } catch (error) {
    found = { error: String(error?.message ?? error) };
  }
  process.stdout.write(JSON.stringify(found) + "\n");
}
