import { type JsonSchema, refName, type Side } from './json-schema.ts'

const primitives: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** TypeScript of a JSON Schema. In responses enums stay open, so that a new value breaks no client. */
export function renderType(schema: JsonSchema, side: Side, indent = ''): string {
  if (schema.$ref !== undefined) return refName(schema.$ref)
  if (schema.anyOf) return union(schema.anyOf.map((member) => renderType(member, side, indent)))
  if (schema.allOf) return schema.allOf.map((member) => renderType(member, side, indent)).join(' & ')
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return enumType(schema.enum, side)
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => renderType({ ...schema, type }, side, indent)))
  }
  if (schema.type === 'array') return arrayType(schema, side, indent)
  if (schema.type === 'object') return objectType(schema, side, indent)
  return primitives[schema.type ?? ''] ?? 'unknown'
}

function enumType(values: readonly unknown[], side: Side): string {
  const closed = values.map(literal)
  return side === 'response' && values.every((value) => typeof value === 'string')
    ? union([...closed, '(string & {})'])
    : union(closed)
}

function arrayType(schema: JsonSchema, side: Side, indent: string): string {
  const item = schema.items ? renderType(schema.items, side, indent) : 'unknown'
  const text = / \| | & /.test(item) && !item.startsWith('{') ? `(${item})` : item
  return side === 'request' ? `readonly ${text}[]` : `${text}[]`
}

function objectType(schema: JsonSchema, side: Side, indent: string): string {
  if (schema.properties && Object.keys(schema.properties).length > 0)
    return renderMembers(schema, side, indent)
  const values = schema.additionalProperties
  return `Record<string, ${typeof values === 'object' ? renderType(values, side, indent) : 'unknown'}>`
}

/** `{ … }` with one member a line. Optional members of requests take undefined, so flags can be passed on. */
export function renderMembers(schema: JsonSchema, side: Side, indent = ''): string {
  const inner = `${indent}  `
  const required = new Set(schema.required)
  const lines = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    if (member.isAbsent)
      return [`${inner}/** Not part of it. */`, `${inner}${propertyName(name)}?: undefined`]
    const isOptional = !required.has(name)
    const type = renderType(member, side, inner)
    const doc = documentMember(member, side)
    const text = `${inner}${propertyName(name)}${isOptional ? '?' : ''}: ${type}${isOptional && side === 'request' ? ' | undefined' : ''}`
    return doc ? [`${inner}/** ${doc} */`, text] : [text]
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** Facts that a type cannot express: description, units, bounds, default. */
function documentMember(member: JsonSchema, side: Side): string {
  const nonNull =
    member.anyOf?.find((option) => option.type !== 'null' && option.$ref === undefined) ?? member
  const parts = [member.description ?? nonNull.description]
  if (nonNull.format === 'date-time') parts.push('ISO 8601.')
  if (side === 'request') parts.push(...bounds(nonNull))
  if (member.default !== undefined) parts.push(`Default: \`${String(member.default)}\`.`)
  return parts.filter(Boolean).join(' ').replaceAll('*/', '* /')
}

const intMax = Number.MAX_SAFE_INTEGER

function bounds({ minLength, maxLength, minimum, maximum, maxItems }: JsonSchema): string[] {
  const parts: string[] = []
  if (maxLength !== undefined) {
    const range = (minLength ?? 0) > 1 ? `${minLength} to ${maxLength}` : `At most ${maxLength}`
    parts.push(`${range} characters.`)
  }
  if (minimum !== undefined && maximum !== undefined && minimum > -intMax && maximum < intMax) {
    parts.push(`From ${minimum} to ${maximum}.`)
  }
  if (maxItems !== undefined) parts.push(`At most ${maxItems} items.`)
  return parts
}

export function union(members: readonly string[]): string {
  return [...new Set(members)].join(' | ')
}

export function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : String(value)
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}
