# fish completion for onnx-lower: the program itself says what may follow, by the model on the line too.

function __onnx_lower_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ($before[1] --complete (math (count $before) - 1) $before[2..] "$current" 2>/dev/null)
    switch "$answer[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
        case '*'
            printf '%s\n' $answer[2..]
    end
end

complete -c onnx-lower -f -a '(__onnx_lower_complete)'
