# Completes vic in bash: source <(vic completion bash). The program itself says what may follow.
_vic() {
  mapfile -t COMPREPLY < <("$1" completion words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # after "key=" comes the value, without a space
  if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace; fi
}
# where it says nothing, bash completes the names of files
complete -o default -F _vic vic
