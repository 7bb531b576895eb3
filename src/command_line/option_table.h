// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Made by scripts/make_option_tables.py of src/command_line/options.toml.
#pragma once

// clang-format off

namespace onnx_lower::option_table {

struct Row {
  const char* names;      // as CLI11 takes them
  const char* value;      // what stands behind the name in --help; nothing for a flag
  const char* group;      // its heading in --help
  const char* help;
  const char* completes;  // what its values are, for the shells' completions
};

inline constexpr Row output{
     "-o,--output",
     "OUT",
     "",
     "Model to write, .onnx or .onnxtxt; - for standard output",
     "models"};
inline constexpr Row check{
     "--check",
     "",
     "",
     "Write nothing, and print which targets take the model: as it is, after lowering, or not",
     ""};
inline constexpr Row set{
     "--set",
     "SETTING",
     "",
     "Give an attribute that the export lost:\nDOMAIN::OP.ATTRIBUTE=VALUE for an operator, or\n"
     "node:NAME.ATTRIBUTE=VALUE for one node",
     "settings"};
inline constexpr Row as{
     "--as",
     "OP=DOMAIN::OP",
     "",
     "Read the nodes of an operator as those of another one, as where it was exported without "
     "its domain",
     "readings"};
inline constexpr Row keep{
     "--keep",
     "DOMAIN[::OP]",
     "",
     "Leave the nodes of a domain or of one operator alone",
     "operators"};
inline constexpr Row allow_unlowered{
     "--allow-unlowered",
     "",
     "",
     "Write the model also when some nodes could not be lowered",
     ""};
inline constexpr Row target{
     "--target",
     "NAME,…",
     "",
     "Where the output has to run: names that --list-targets lists, or files (PATH.target), with"
     " commas between; opset and IR version follow from it (default: any, standard operators for"
     " ONNX Runtime and OpenVINO)",
     "targets"};
inline constexpr Row without{
     "--without",
     "OP,…",
     "",
     "Leave no node of these operators and domains in the output, with commas between them, "
     "whatever the target takes",
     "all_operators"};
inline constexpr Row allow_narrowing{
     "--allow-narrowing",
     "",
     "",
     "Compute in float what is double, in int32 what is int64, where a target takes nothing "
     "wider",
     ""};
inline constexpr Row unroll{
     "--unroll",
     "N",
     "",
     "For a target that lacks them, write RNN, GRU, LSTM, Scan and Loop step by step where they "
     "are known to have no more than N steps (default: 64); 0 for never",
     ""};
inline constexpr Row target_opset{
     "--target-opset",
     "N",
     "",
     "Version of ai.onnx that the output imports (default: the input's); the IR version is "
     "lowered to that of the onnx release with this opset",
     ""};
inline constexpr Row ir_version{
     "--ir-version",
     "N",
     "",
     "IR version of the output",
     ""};
inline constexpr Row fold{
     "--fold",
     "",
     "",
     "Put constants in the place of what is known before the model runs: computations on shapes "
     "and small integers; and its branch in the place of an If whose condition is known",
     ""};
inline constexpr Row input_shape{
     "--input-shape",
     "NAME:1,3,…",
     "",
     "Give an input of the model this shape, with ? for dimensions that stay; what follows from "
     "it is inferred and written",
     "inputs"};
inline constexpr Row dim{
     "--dim",
     "NAME=N",
     "",
     "Give the dimensions of this name, of all inputs, this size",
     "dimensions"};
inline constexpr Row input_value{
     "--input-value",
     "NAME=V",
     "",
     "Fix an input of the model to a value, or to a list with commas: it becomes a constant, and"
     " is no input any more; with --fold, which this option says, too",
     "values"};
inline constexpr Row expand{
     "--expand",
     "",
     "",
     "Put the body of a rule in the place of the node (the default)",
     ""};
inline constexpr Row attach{
     "--attach{*}",
     "[=DOMAIN[::OP]]",
     "",
     "Keep the nodes, of all custom operators or of those named (--attach=DOMAIN[::OP]), and add"
     " their rules' bodies as model-local functions, which ONNX Runtime executes",
     "operators"};
inline constexpr Row external_data{
     "--external-data",
     "MODE",
     "",
     "Data that lie in other files: keep them there (the default; copied along into another "
     "folder), embed them in OUT, or split all large tensors off into one file OUT.data",
     "words keep embed split"};
inline constexpr Row allow_external_paths{
     "--allow-external-paths",
     "",
     "",
     "Read external data outside of the model's folder, too",
     ""};
inline constexpr Row rules{
     "--rules",
     "PATH",
     "Rules",
     "Use the rules in a folder, an .onnxtxt file or an .onnx file first",
     "files"};
inline constexpr Row list_rules{
     "--list-rules",
     "",
     "Rules",
     "List all rules",
     ""};
inline constexpr Row list_targets{
     "--list-targets",
     "",
     "Rules",
     "List the targets",
     ""};
inline constexpr Row show_target{
     "--show-target",
     "NAME",
     "Rules",
     "Print a target: what a runtime takes",
     "target"};
inline constexpr Row json{
     "--json",
     "",
     "Rules",
     "With --check, --list-rules or --list-targets: print JSON",
     ""};
inline constexpr Row explain{
     "--explain",
     "CODE",
     "Rules",
     "Print what a code of a message means, as OL003, and what to do",
     "codes"};
inline constexpr Row show_rule{
     "--show-rule",
     "DOMAIN::OP",
     "Rules",
     "Print the text of a rule",
     "rules"};
inline constexpr Row check_rules{
     "--check-rules",
     "PATH",
     "Rules",
     "Check rule files, and the types of their bodies at every opset; and target files, of whose"
     " conditions each part has to decide something",
     "files"};
inline constexpr Row new_rule{
     "--new-rule",
     "DOMAIN::OP",
     "Rules",
     "Write no model, but the beginning of a rule for nodes of IN, OP.onnxtxt, and of its test, "
     "test_OP.py, here or in --output-dir",
     "custom_operators"};
inline constexpr Row output_dir{
     "--output-dir",
     "DIR",
     "Many models",
     "Write each model under its own name below DIR; folders keep their trees",
     "folders"};
inline constexpr Row manifest{
     "--manifest",
     "FILE.jsonl",
     "Many models",
     "Read the models to lower, and options for each, from JSON Lines; - for standard input",
     "files"};
inline constexpr Row jobs{
     "-j,--jobs",
     "N",
     "Many models",
     "Models at once (default: as many as there are CPUs to use)",
     ""};
inline constexpr Row shard{
     "--shard",
     "I/N",
     "Many models",
     "Do only part I of N of the models, chosen by their names",
     ""};
inline constexpr Row force{
     "--force",
     "",
     "Many models",
     "Do also the models whose outputs are up to date",
     ""};
inline constexpr Row timeout{
     "--timeout",
     "SECONDS",
     "Many models",
     "Stop a model that takes longer",
     ""};
inline constexpr Row verify{
     "--verify",
     "",
     "Verifying",
     "Run the input and the output in ONNX Runtime on the same inputs, and write the output only"
     " where it computes the same; with two models and without -o: compare these",
     ""};
inline constexpr Row onnxruntime{
     "--onnxruntime",
     "PATH",
     "Verifying",
     "ONNX Runtime's library or its folder (default: where the loader looks, then Python's "
     "package)",
     "files"};
inline constexpr Row verify_inputs{
     "--verify-inputs",
     "FILE.npz",
     "Verifying",
     "Take inputs from this file, as numpy.savez writes it; others are drawn",
     "files"};
inline constexpr Row seed{
     "--seed",
     "N",
     "Verifying",
     "Draw other inputs (default: 0)",
     ""};
inline constexpr Row runs{
     "--runs",
     "N",
     "Verifying",
     "Run both on so many inputs (default: 3)",
     ""};
inline constexpr Row report{
     "--report",
     "FILE",
     "Messages",
     "Write what was done, what it costs, and what was not done and why: as JSON, for many "
     "models a line for each (.json; - for standard output); as a page with pictures (.html); or"
     " for tools that show findings (.sarif)",
     "files"};
inline constexpr Row diff{
     "--diff",
     "",
     "Messages",
     "Print on standard output what changes in the model, as a diff of its text; needs no -o",
     ""};
inline constexpr Row quiet{
     "-q,--quiet",
     "",
     "Messages",
     "Print errors only",
     ""};
inline constexpr Row verbose{
     "-v,--verbose",
     "",
     "Messages",
     "Print every lowered node",
     ""};
inline constexpr Row color{
     "--color",
     "WHEN",
     "Messages",
     "auto, always or never; NO_COLOR in the environment means never",
     "words auto always never"};
inline constexpr Row version{
     "--version",
     "",
     "Messages",
     "Print the versions of onnx-lower, onnx and protobuf",
     ""};
inline constexpr Row help{
     "-h,--help",
     "",
     "Messages",
     "Print this text",
     ""};

inline constexpr const Row* all[] = {
     &output, &check, &set, &as, &keep, &allow_unlowered, &target, &without, &allow_narrowing, &unroll,
     &target_opset, &ir_version, &fold, &input_shape, &dim, &input_value, &expand, &attach, &external_data,
     &allow_external_paths, &rules, &list_rules, &list_targets, &show_target, &json, &explain, &show_rule,
     &check_rules, &new_rule, &output_dir, &manifest, &jobs, &shard, &force, &timeout, &verify, &onnxruntime,
     &verify_inputs, &seed, &runs, &report, &diff, &quiet, &verbose, &color, &version, &help};

}  // namespace onnx_lower::option_table
