/**
 * Returns the completion script of a shell. It runs `tidemark __complete WORD ...`, whose last word is the one to complete, and offers the
 * lines of the output; if there are none, the shell completes file names.
 */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell]
}

const BASH = `# bash completion of tidemark: source <(tidemark completion bash)
_tidemark() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "$word"))
}
complete -o default -F _tidemark tidemark
`

const ZSH = `#compdef tidemark
# zsh completion of tidemark: tidemark completion zsh > ~/.zfunc/_tidemark (a folder of fpath)
_tidemark() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then compadd -- "\${candidates[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" == _tidemark ]]; then _tidemark "$@"; else compdef _tidemark tidemark; fi
`

const FISH = `# fish completion of tidemark: tidemark completion fish > ~/.config/fish/completions/tidemark.fish
complete -c tidemark -a '(set -l words (commandline -opc) (commandline -ct); $words[1] __complete $words[2..-1] 2>/dev/null)'
`

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH }
export type Shell = keyof typeof SCRIPTS
