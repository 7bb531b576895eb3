# bash completion for onnx-lower: the program itself says what may follow, by the model on the line too.

_onnx_lower() {
  local words=() index=0 i
  # bash splits words at : and =, which names of operators and values have.
  for ((i = 1; i < ${#COMP_WORDS[@]}; ++i)); do
    if ((i > 1)) && [[ ${COMP_WORDS[i]} == [:=]* || ${words[-1]} == *[:=] ]]; then
      words[-1]+=${COMP_WORDS[i]}
    else
      words+=("${COMP_WORDS[i]/#\~\//$HOME/}")
    fi
    if ((i == COMP_CWORD)); then index=$((${#words[@]} - 1)); fi
  done
  local answer=() word=${COMP_WORDS[COMP_CWORD]}
  mapfile -t answer < <("${1/#\~\//$HOME/}" --complete "$index" "${words[@]}" 2>/dev/null)
  if [[ $word == [:=]* ]]; then word=; fi
  case ${answer[0]} in
    files)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      ;;
    folders)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -d -- "$word")
      ;;
    *)
      if [[ ${answer[0]} == nospace ]]; then compopt -o nospace; fi
      COMPREPLY=("${answer[@]:1}")
      COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
      # Of a word that was split, bash replaces the last part.
      COMPREPLY=("${COMPREPLY[@]#"${words[index]%"$word"}"}")
      ;;
  esac
}

complete -F _onnx_lower onnx-lower
