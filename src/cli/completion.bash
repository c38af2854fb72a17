# Completes vic in bash: source <(vic completion bash). The program itself lists the completions.
_vic() {
  mapfile -t COMPREPLY < <("$1" completion words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # after "key=" comes the value, without a space
  if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace; fi
}
# if it lists none, bash completes the names of files
complete -o default -F _vic vic
