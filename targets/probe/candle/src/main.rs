// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// candle as a program that runtimes.py asks, by the requests and answers that rten/src/main.rs describes. candle-onnx evaluates a model node by node, and finds out in the
// run what it does not take: some of that is a panic, which is an error here.
use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, Write};
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};

use candle_core::{DType, Device, Tensor};
use candle_onnx::onnx::ModelProto;
use serde_json::{json, Value as Json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn bytes_of(hex: &str) -> Result<Vec<u8>> {
    (0..hex.len()).step_by(2).map(|at| Ok(u8::from_str_radix(&hex[at..at + 2], 16)?)).collect()
}

fn hex_of(bytes: impl Iterator<Item = u8>) -> String {
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

fn tensor_of(input: &Json) -> Result<Tensor> {
    let dims = input["dims"].as_array().ok_or("dims are missing")?;
    let dims: Vec<usize> = dims.iter().map(|dim| dim.as_u64().unwrap_or(0) as usize).collect();
    let bytes = bytes_of(input["data"].as_str().ok_or("data are missing")?)?;
    let kind = match input["type"].as_str() {
        Some("float16") => DType::F16,
        Some("float32") => DType::F32,
        Some("float64") => DType::F64,
        Some("uint8") => DType::U8,
        Some("uint32") => DType::U32,
        Some("int64") => DType::I64,
        _ => return Err(format!("candle-onnx has no tensors of {}", input["type"]).into()),
    };
    Ok(Tensor::from_raw_buffer(&bytes, kind, &dims, &Device::Cpu)?)
}

fn written(tensor: &Tensor) -> Result<Json> {
    let elements = tensor.flatten_all()?;
    let (kind, data) = match tensor.dtype() {
        DType::F16 => ("float32", hex_of(elements.to_dtype(DType::F32)?.to_vec1::<f32>()?.into_iter().flat_map(f32::to_le_bytes))),
        DType::F32 => ("float32", hex_of(elements.to_vec1::<f32>()?.into_iter().flat_map(f32::to_le_bytes))),
        DType::F64 => ("float64", hex_of(elements.to_vec1::<f64>()?.into_iter().flat_map(f64::to_le_bytes))),
        DType::U8 => ("uint8", hex_of(elements.to_vec1::<u8>()?.into_iter())),
        DType::U32 => ("uint32", hex_of(elements.to_vec1::<u32>()?.into_iter().flat_map(u32::to_le_bytes))),
        DType::I64 => ("int64", hex_of(elements.to_vec1::<i64>()?.into_iter().flat_map(i64::to_le_bytes))),
        kind => return Err(format!("an output is of {}", kind.as_str()).into()),
    };
    Ok(json!({"type": kind, "dims": tensor.dims(), "data": data}))
}

fn answer(request: &Json, model: &mut Option<ModelProto>) -> Result<Json> {
    if let Some(path) = request["load"].as_str() {
        *model = None;
        *model = Some(candle_onnx::read_file(path)?);
        return Ok(json!({}));
    }
    let model = model.as_ref().ok_or("no model is loaded")?;
    let mut inputs = HashMap::new();
    for input in request["run"].as_array().ok_or("no inputs are given")? {
        inputs.insert(input["name"].as_str().unwrap_or("").to_string(), tensor_of(input)?);
    }
    let results = candle_onnx::simple_eval(model, inputs)?;
    let names = model.graph.iter().flat_map(|graph| &graph.output).map(|output| &output.name);
    let outputs = names.map(|name| written(results.get(name).ok_or("an output is missing")?)).collect::<Result<Vec<_>>>()?;
    Ok(json!({ "outputs": outputs }))
}

// What it says before the node as a whole and a trace of calls follow.
fn sentence(error: &dyn Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or("");
    line.split(" for op NodeProto").next().unwrap_or(line).to_string()
}

fn or_panic(request: &Json, model: &mut Option<ModelProto>) -> Result<Json> {
    catch_unwind(AssertUnwindSafe(|| answer(request, model))).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied()).unwrap_or("of which it says nothing");
        Err(format!("panic: {said}").into())
    })
}

fn main() {
    set_hook(Box::new(|_| {}));
    let mut model = None;
    for line in std::io::stdin().lock().lines().map_while(std::result::Result::ok) {
        let found = serde_json::from_str(&line).map_err(Into::into).and_then(|request: Json| or_panic(&request, &mut model));
        println!("{}", found.unwrap_or_else(|error| json!({ "error": sentence(&*error) })));
        let _ = std::io::stdout().flush();
    }
}
