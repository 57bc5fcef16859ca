import { defineCommand } from '../command.ts'

const bash = `# millrace completion bash: source it from ~/.bashrc
_millrace() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <("\${COMP_WORDS[0]}" completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _millrace millrace`

const zsh = `#compdef millrace
# millrace completion zsh: source it from ~/.zshrc behind compinit, or save it as _millrace in $fpath
_millrace() {
  local -a found
  found=("\${(@f)$("\${words[1]}" completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" == _millrace ]]; then _millrace "$@"; else compdef _millrace millrace; fi`

const fish = `# millrace completion fish: save it as ~/.config/fish/completions/millrace.fish
function __millrace_words
  set -l before (commandline -opc)
  set -l last (commandline -ct)
  set -l found ($before[1] completion words -- $before[2..-1] "$last" 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path "$last"
  end
end
complete -c millrace -f -a '(__millrace_words)'`

const scripts = { bash, zsh, fish }

const completion = defineCommand({
  options: {
    shell: {
      meaning: 'The shell: bash, zsh or fish.',
      required: true,
      choices: Object.keys(scripts),
    },
  },
  operand: 'shell',
  example: 'npx millrace completion bash',
  routes: [],
  async run({ shell }, { out }) {
    out.write(`${scripts[shell as keyof typeof scripts]}\n`)
  },
})

/** The command that completes others. */
export const commands = { completion: { load: async () => completion } }
