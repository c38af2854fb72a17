#compdef vic
# Completes vic in zsh: source <(vic completion zsh). The program itself lists the completions.
_vic() {
  local -a found
  found=(${(f)"$($words[1] completion words "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if ((! $#found)); then
    _files
  elif [[ $found[1] == *= ]]; then
    compadd -S '' -a found
  else
    compadd -a found
  fi
}
# as a file of fpath this is the function's first call; sourced, it only defines the function
if [[ ${funcstack[1]-} == _vic ]]; then _vic "$@"; else compdef _vic vic; fi
