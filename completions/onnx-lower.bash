# bash completion for onnx-lower

_onnx_lower() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  case $previous in
    --color)
      mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$current")
      return
      ;;
    --target)
      mapfile -t COMPREPLY < <(compgen -W "any onnxruntime onnxruntime-web openvino opencv rten tract tensorrt tensorrt-rtx coreml qnn ascend" -- "$current")
      return
      ;;
    --external-data)
      mapfile -t COMPREPLY < <(compgen -W "keep embed split" -- "$current")
      return
      ;;
    --output-dir)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      return
      ;;
    --set | --keep | --input-shape | --dim | --show-rule | --show-target | --target-opset | --ir-version | -j | --jobs | --shard | --timeout)
      return
      ;;
  esac
  if [[ $current == -* && $current != - ]]; then
    mapfile -t COMPREPLY < <(compgen -W "-o --output --check --set --keep --allow-unlowered --target --allow-narrowing --target-opset --ir-version --fold --input-shape --dim --expand --attach
      --external-data --allow-external-paths --output-dir --manifest -j --jobs --shard --force --timeout
      --rules --list-rules --list-targets --json --show-rule --show-target --check-rules --report -q --quiet -v --verbose --color --version -h --help" \
      -- "$current")
    return
  fi
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}

complete -F _onnx_lower onnx-lower
