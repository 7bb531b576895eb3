// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// rten as a program that runtimes.py asks. Each line of its standard input is a request in JSON, {"load": PATH} or {"run": [{name, type, dims, data}]}, and
// each line of its output the answer: {} or {"outputs": [{type, dims, data}]}, or {"error": MESSAGE}. Elements are bytes in hexadecimal.
use std::error::Error;
use std::io::{BufRead, Write};

use rten::{Model, RunOptions, Value};
use rten_tensor::prelude::*;
use serde_json::{json, Value as Json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn bytes_of(hex: &str) -> Result<Vec<u8>> {
    (0..hex.len()).step_by(2).map(|at| Ok(u8::from_str_radix(&hex[at..at + 2], 16)?)).collect()
}

fn hex_of(bytes: impl Iterator<Item = u8>) -> String {
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

fn dims_of(input: &Json) -> Result<Vec<usize>> {
    let dims = input["dims"].as_array().ok_or("dims are missing")?;
    Ok(dims.iter().map(|dim| dim.as_u64().unwrap_or(0) as usize).collect())
}

fn value_of(input: &Json) -> Result<Value> {
    let dims = dims_of(input)?;
    let bytes = bytes_of(input["data"].as_str().ok_or("data are missing")?)?;
    let words = || bytes.chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]]);
    Ok(match input["type"].as_str() {
        Some("float32") => Value::from_shape(&dims, words().map(f32::from_le_bytes).collect::<Vec<_>>()).map_err(|error| error.to_string())?,
        Some("int32") => Value::from_shape(&dims, words().map(i32::from_le_bytes).collect::<Vec<_>>()).map_err(|error| error.to_string())?,
        Some("int8") => Value::from_shape(&dims, bytes.iter().map(|&byte| byte as i8).collect::<Vec<_>>()).map_err(|error| error.to_string())?,
        Some("uint8") => Value::from_shape(&dims, bytes).map_err(|error| error.to_string())?,
        _ => return Err(format!("rten has no tensors of {}", input["type"]).into()),
    })
}

fn written(value: &Value) -> Result<Json> {
    Ok(match value {
        Value::FloatTensor(tensor) => json!({"type": "float32", "dims": tensor.shape(), "data": hex_of(tensor.iter().flat_map(|x| x.to_le_bytes()))}),
        Value::Int32Tensor(tensor) => json!({"type": "int32", "dims": tensor.shape(), "data": hex_of(tensor.iter().flat_map(|x| x.to_le_bytes()))}),
        Value::Int8Tensor(tensor) => json!({"type": "int8", "dims": tensor.shape(), "data": hex_of(tensor.iter().map(|&x| x as u8))}),
        Value::UInt8Tensor(tensor) => json!({"type": "uint8", "dims": tensor.shape(), "data": hex_of(tensor.iter().copied())}),
        _ => return Err("an output is a sequence".into()),
    })
}

fn answer(request: &Json, model: &mut Option<Model>) -> Result<Json> {
    if let Some(path) = request["load"].as_str() {
        *model = None;
        *model = Some(Model::load_file(path)?);
        return Ok(json!({}));
    }
    let model = model.as_ref().ok_or("no model is loaded")?;
    let mut inputs = Vec::new();
    for input in request["run"].as_array().ok_or("no inputs are given")? {
        let id = model.node_id(input["name"].as_str().unwrap_or(""))?;
        inputs.push((id, value_of(input)?.into()));
    }
    let results = model.run(inputs, model.output_ids(), None::<RunOptions>)?;
    let outputs = results.iter().map(written).collect::<Result<Vec<_>>>()?;
    Ok(json!({ "outputs": outputs }))
}

fn main() {
    let mut model = None;
    for line in std::io::stdin().lock().lines().map_while(std::result::Result::ok) {
        let found = serde_json::from_str(&line).map_err(Into::into).and_then(|request: Json| answer(&request, &mut model));
        println!("{}", found.unwrap_or_else(|error| json!({ "error": error.to_string() })));
        let _ = std::io::stdout().flush();
    }
}
