import type { OptionDescription } from '../../describe-commands.ts'
import { type CompletionNode, isFileOption } from './completion-words.ts'

export function fishCompletion(nodes: readonly CompletionNode[]): string {
  const lines = nodes.flatMap((node) => [...commandLines(node), ...optionLines(node)])
  return `# fish completion of crm; made by "crm completion fish".
function __crm_path
    set -l tokens (commandline -opc)
    set -l path
    for token in $tokens[2..-1]
        if contains -- (string join -- ' ' $path $token) ${nodes
          .filter(({ path }) => path !== '')
          .map(({ path }) => quoted(path))
          .join(' ')}
            set -a path $token
        end
    end
    string join -- ' ' $path
end
function __crm_at
    set -l path (__crm_path)
    test "$path" = "$argv[1]"
end
complete -c crm -f
${lines.join('\n')}`
}

function commandLines({ path, commands }: CompletionNode): string[] {
  return commands.map(
    ({ name, description }) => `${condition(path)} -a ${quoted(name)} -d ${quoted(description)}`,
  )
}

function optionLines({ path, options }: CompletionNode): string[] {
  return options.map((option) => `${condition(path)} ${optionWords(option)} -d ${quoted(option.description)}`)
}

function optionWords(option: OptionDescription): string {
  const { long, short, value, choices } = option
  const names = [`-l ${long.slice(2)}`, ...(short ? [`-s ${short.slice(1)}`] : [])]
  if (value !== 'required') return names.join(' ')
  if (isFileOption(option)) return `${names.join(' ')} -r -F`
  return `${names.join(' ')} -x${choices ? ` -a ${quoted(choices.join(' '))}` : ''}`
}

function condition(path: string): string {
  return `complete -c crm -n ${quoted(`__crm_at "${path}"`)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
