import type { OptionDescription } from '../../describe-commands.ts'
import { type CompletionNode, isFileOption } from './completion-words.ts'

export function zshCompletion(nodes: readonly CompletionNode[]): string {
  return `#compdef crm
# zsh completion of crm; made by "crm completion zsh".
_crm_node() {
  case "$1" in
${nodes.map((node) => `    ${quoted(node.path)})\n${body(node)}\n    ;;`).join('\n')}
  esac
}
_crm() {
  local crm_path='' word
  local -i i
  local -a names
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    names=(\${(f)"$(_crm_names "$crm_path")"})
    if (( \${names[(Ie)$word]} )); then crm_path="\${crm_path:+$crm_path }$word"; fi
  done
  _crm_node "$crm_path"
}
_crm_names() {
  case "$1" in
${nodes
  .filter(({ commands }) => commands.length > 0)
  .map(
    ({ path, commands }) => `    ${quoted(path)}) print -l ${commands.map(({ name }) => name).join(' ')} ;;`,
  )
  .join('\n')}
  esac
}
if [[ $funcstack[1] == _crm ]]; then _crm "$@"; else compdef _crm crm; fi`
}

function body({ commands, options }: CompletionNode): string {
  const described = commands.map(({ name, description }) => quoted(`${name}:${description}`)).join(' ')
  const subcommands = commands.length > 0 ? `      local -a commands=(${described})\n` : ''
  const rest = commands.length > 0 ? " '*:command:{_describe command commands}'" : " '*:argument:_default'"
  return `${subcommands}      _arguments -s ${options.map(argument).join(' ')}${rest}`
}

function argument(option: OptionDescription): string {
  const { long, short, description, value, choices } = option
  const words = `[${description.replace(/([[\]:])/g, '\\$1')}]`
  const action = choices ? `(${choices.join(' ')})` : isFileOption(option) ? '_files' : ' '
  const suffix = value === 'required' ? `:value:${action}` : ''
  const names = short ? [short, long] : [long]
  return names.map((name) => quoted(`*${name}${words}${suffix}`)).join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
