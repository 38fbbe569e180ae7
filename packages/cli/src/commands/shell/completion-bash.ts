import { type CompletionNode, isFileOption } from './completion-words.ts'

/** A script without a call of `crm` at every Tab: all words are in it. Bash 3.2 (macOS) has no associative arrays. */
export function bashCompletion(nodes: readonly CompletionNode[]): string {
  return `# bash completion of crm; made by "crm completion bash".
_crm_words() {
  case "$1" in
${nodes.map((node) => `    '${node.path}') echo '${wordsOf(node)}' ;;`).join('\n')}
  esac
}
_crm_values() {
  case "$1 $2" in
${valueCases(nodes).join('\n')}
    *' --profile') crm profiles list --quiet 2>/dev/null ;;
${fileCase(nodes)}
  esac
}
_crm() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path='' word values i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case " $(_crm_words "$path") " in
      *" $word "*) [[ $word == -* ]] || path="\${path:+$path }$word" ;;
    esac
  done
  COMPREPLY=()
  if [[ $previous == -* ]]; then
    values=$(_crm_values "$path" "$previous")
    if [[ $values == ':file' ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    if [[ -n $values ]]; then
      COMPREPLY=($(compgen -W "$values" -- "$current"))
      return
    fi
  fi
  values=$(_crm_words "$path")
  # Options only once their dash is there: commands come first.
  if [[ $current != -* ]]; then
    local plain=''
    for word in $values; do [[ $word == -* ]] || plain="$plain $word"; done
    values=$plain
  fi
  COMPREPLY=($(compgen -W "$values" -- "$current"))
}
complete -F _crm crm`
}

function wordsOf({ commands, options }: CompletionNode): string {
  const flags = options.flatMap(({ long, short }) => (short ? [short, long] : [long]))
  return [...commands.map(({ name }) => name), ...flags].join(' ')
}

function valueCases(nodes: readonly CompletionNode[]): string[] {
  return nodes.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices !== null)
      .map(({ long, choices }) => `    '${path} ${long}') echo '${choices?.join(' ')}' ;;`),
  )
}

function fileCase(nodes: readonly CompletionNode[]): string {
  const names = new Set(nodes.flatMap(({ options }) => options.filter(isFileOption).map(({ long }) => long)))
  return `    ${[...names].map((name) => `*' ${name}'`).join(' | ')}) echo ':file' ;;`
}
