import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Field } from '../../packages/cli/src/operations/operation.ts'
import { requestExamples } from '../../packages/core/src/contract/request-examples.ts'
import { type JsonSchema, jsonSchemaOf, resolved } from './json-schema.ts'
import { literal } from './render-type.ts'
import { kebab, type SdkMethod } from './sdk-method.ts'

export const cliOperationsFolder = 'packages/cli/src/operations'

export function cliOperationsFile(area: string): string {
  return `${kebab(area)}.gen.ts`
}

/** The sources of the commands, which name the operations that they call. */
export function readCommands(root: string): string {
  const files = globSync(join(root, 'packages/cli/src/commands/**/*.ts'))
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}

/**
 * The operations of one area that commands name: from them follow options, texts and requests. Undefined where no noun
 * imports the file.
 */
export function renderCliOperations(
  area: string,
  methods: readonly SdkMethod[],
  { commands, typeNames }: { readonly commands: string; readonly typeNames: readonly string[] },
): string | undefined {
  if (!commands.includes(`/operations/${cliOperationsFile(area)}'`)) return undefined
  const isNamed = ({ name }: SdkMethod) => new RegExp(`\\b${area}\\.${name}\\b`).test(commands)
  const code = methods
    .filter((method) => isPlain(method) && isNamed(method))
    .map(renderOperation)
    .join('\n')
  const types = ['MessageReply', 'Page', ...typeNames].filter((name) =>
    new RegExp(`[<, ]${name}[<>,[]`).test(code),
  )
  const named = ['type NoInput', 'operation'].filter((name) => code.includes(name.replace('type ', '')))
  return `import type { ${types.sort().join(', ')} } from '@crmkit/sdk'
import { ${named.join(', ')} } from './operation.ts'

export const ${area} = {
${code}
}
`
}

/** At most one id, and data in both directions: files and streams have commands of their own. */
function isPlain({ params, isUpload, reply }: SdkMethod): boolean {
  const isNamed = 'type' in reply && /^\w+(\[\])?$/.test(reply.type)
  return params.length <= 1 && !isUpload && isNamed && ['plain', 'message', 'list'].includes(reply.kind)
}

function renderOperation(method: SdkMethod): string {
  const { operation, area, name, params, query, body, reply } = method
  const row = reply.kind === 'list' ? `Page<${reply.type}>` : reply.type
  const input = query?.type ?? body?.type ?? 'NoInput'
  const given = [...params.map(() => 'id'), ...(query || body ? ['input'] : [])]
  const names = given.includes('input')
    ? `crm, ${params.length > 0 ? 'id' : '_id'}, input`
    : given.length > 0
      ? 'crm, id'
      : 'crm'
  const fields = fieldsOf(method)
  const rows = fields.map((field) => `      ${JSON.stringify(field)},\n`)
  const example = exampleOf(method, fields)
  return `  ${name}: operation<${input}, ${row}>({
    name: '${name}',
    summary: ${literal(operation.summary)},
    need: '${operation.auth.kind === 'session' ? 'session' : 'any'}',${replyOf(method)}
    fields: [${rows.length > 0 ? `\n${rows.join('')}    ` : ''}],${example && `\n    example: ${literal(example)},`}
    send: (${names}) => crm.${area}.${name}(${given.join(', ')}),
  }),`
}

/** The fields of a row of the reply, so that a misspelled one is refused before the request. */
function replyOf({ operation, reply }: SdkMethod): string {
  if (reply.kind !== 'plain' && reply.kind !== 'list') return ''
  const whole = jsonSchemaOf(operation.response, 'output')
  const row = resolvedIn(whole, reply.schema)
  const names = Object.keys((row.items ? resolvedIn(whole, row.items) : row).properties ?? {})
  return names.length > 0 ? `\n    reply: ${JSON.stringify(names)},` : ''
}

/** Options for the required fields of the contract's example, or for its first field in a change. */
function exampleOf({ operation, body }: SdkMethod, fields: readonly Field[]): string {
  if (!body) return ''
  const sample = requestExamples[operation.id as keyof typeof requestExamples] as Readonly<
    Record<string, unknown>
  >
  const given = fields.filter(({ name }) => sample[name] !== undefined)
  const required = given.filter(({ isRequired }) => isRequired)
  return (required.length > 0 ? required : given.slice(0, 1))
    .map(({ name, type }) => {
      const value = sample[name]
      if (type === 'flag') return `--${value ? '' : 'no-'}${kebab(name)}`
      const text = String(value)
      return `--${kebab(name)} ${/^[\w@.:,+/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`}`
    })
    .join(' ')
}

const paging = ['page', 'limit', 'cursor']

function fieldsOf({ operation }: SdkMethod): Field[] {
  const { query, body } = operation.request ?? {}
  const source = query ?? body
  if (!source) return []
  // The output of a query has its types; its input is text in a URL. The output of a body has lost some of them.
  const whole = jsonSchemaOf(source, query ? 'output' : 'input')
  const schema = resolved(whole)
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (paging.includes(name)) return []
    const field = fieldOf({
      name,
      property,
      whole,
      isChange: operation.method !== 'POST' && body !== undefined,
    })
    if (field === undefined) return []
    const isRequired = body !== undefined && (schema.required ?? []).includes(name)
    return [{ ...field, ...(isRequired && { isRequired }) }]
  })
}

interface FieldSource {
  readonly name: string
  readonly property: JsonSchema
  /** The schema with the definitions. */
  readonly whole: JsonSchema
  /** An absent field keeps its value, whatever a new row gets. */
  readonly isChange: boolean
}

function fieldOf({ name, property, whole, isChange }: FieldSource): Field | undefined {
  const kinds = [property.type ?? []].flat()
  const members: JsonSchema[] = property.anyOf ?? kinds.map((type) => ({ ...property, type }))
  const [value, ...more] = members
    .filter(({ type }) => type !== 'null')
    .map((member) => resolvedIn(whole, member))
  const type = value && more.length === 0 ? typeOf(value) : undefined
  if (value === undefined || type === undefined) return undefined
  const choices = (value.enum ?? value.items?.enum) as readonly string[] | undefined
  return {
    name,
    type,
    text: `${textOf(property.description ?? '', isChange)}${endOf(type, choices)}`,
    value: wordOf(name, type, choices !== undefined),
    ...(choices && { choices }),
    ...(members.some((member) => member.type === 'null') && { isNullable: true }),
  }
}

function resolvedIn({ $defs }: JsonSchema, member: JsonSchema): JsonSchema {
  return resolved($defs ? { ...member, $defs } : member)
}

function typeOf({ type, format, items }: JsonSchema): Field['type'] | undefined {
  if (type === 'array') return items?.type === 'string' ? 'list' : undefined
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'integer'
  if (type !== 'string') return undefined
  return format === 'date-time' ? 'moment' : 'text'
}

/** The first sentence and the default, without the meaning of null: "Name; null without one. At most 50." is `name`. */
function textOf(description: string, isChange: boolean): string {
  const [first = '', ...others] = description.replaceAll('`', '').split(/(?<=\.) (?=[A-Z])/)
  const defaults = isChange ? [] : others.filter((sentence) => sentence.startsWith('Default'))
  return [first, ...defaults]
    .map((sentence) => sentence.replace(/\.$/, '').replace(/; null\b.*/, ''))
    .map((sentence) => sentence.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()))
    .join('; ')
}

/** How the value is written. */
function endOf(type: Field['type'], choices: readonly string[] | undefined): string {
  if (type === 'moment') return ', such as 2026-11-01'
  if (type !== 'list') return ''
  return choices ? `, comma separated: ${choices.join(', ')}` : ', comma separated'
}

/** The words for a value where the type alone says too little, by the last word of the field's name. */
const valueWords: Readonly<Record<string, string>> = {
  address: 'address',
  company: 'name',
  email: 'email',
  from: 'number',
  id: 'id',
  label: 'label',
  name: 'name',
  phone: 'number',
  search: 'terms',
  sort: 'order',
  title: 'title',
  to: 'number',
  url: 'url',
}

/** `firstName` takes a name, `sort` an order, and a choice the word of its field. */
function wordOf(name: string, type: Field['type'], isChoice: boolean): string {
  if (type === 'list') return 'list'
  if (type === 'moment') return 'time'
  if (type === 'integer') return 'number'
  const last = kebab(name).split('-').at(-1) ?? ''
  return valueWords[last] ?? (isChoice ? last : 'text')
}
