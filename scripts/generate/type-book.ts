import { type JsonSchema, jsonSchemaOf, resolved, type SchemaSource, type Side } from './json-schema.ts'
import { renderMembers, renderType } from './render-type.ts'

const jsonValue = `/** Any JSON. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }`

/** Types that stand for a part of another type, in a union with it. */
const parts: Readonly<Record<string, string>> = { CustomerName: 'Customer' }

/** Adds the members that only the whole type has, as absent ones. */
function withAbsent(part: JsonSchema, whole: JsonSchema): JsonSchema {
  const properties = Object.entries(whole.properties ?? {}).map(([name, member]): [string, JsonSchema] => {
    const own = part.properties?.[name]
    return [name, own === undefined ? { isAbsent: true } : withAbsent(own, member)]
  })
  return properties.length > 0 ? { ...part, properties: Object.fromEntries(properties) } : part
}

/** Collects the named types of the SDK while its methods are written. */
export class TypeBook {
  readonly #texts = new Map<string, string>([['JsonValue', jsonValue]])
  /** The objects that the service sends, for the test kit. */
  readonly replySchemas = new Map<string, JsonSchema>()

  /** The type of a whole schema, as it is written in a method's signature. Its named parts are collected. */
  typeOf(source: SchemaSource, side: Side): { type: string; schema: JsonSchema } {
    const schema = jsonSchemaOf(source, side === 'request' ? 'input' : 'output')
    this.addDefinitions(schema, side)
    return { type: renderType(schema, side), schema: resolved(schema) }
  }

  addDefinitions(schema: JsonSchema, side: Side): void {
    for (const [name, definition] of Object.entries(schema.$defs ?? {})) {
      // The type of any JSON is written by hand above.
      if (name === 'JsonValue') continue
      const whole = schema.$defs?.[parts[name] ?? '']
      this.add(name, definition, side, whole && withAbsent(definition, whole))
    }
  }

  /** Two schemas may share a name only if they are the same type. */
  add(name: string, schema: JsonSchema, side: Side, shown = schema): void {
    const isObject = schema.type === 'object' && schema.properties !== undefined
    const body = isObject ? renderMembers(shown, side) : renderType(shown, side)
    const doc = schema.description ? `/** ${schema.description} */\n` : ''
    const text = isObject ? `${doc}export interface ${name} ${body}` : `${doc}export type ${name} = ${body}`
    const before = this.#texts.get(name)
    if (before !== undefined && before !== text) throw new Error(`Two different schemas are called ${name}`)
    this.#texts.set(name, text)
    if (isObject && side === 'response') this.replySchemas.set(name, schema)
  }

  names(): string[] {
    return [...this.#texts.keys()].sort()
  }

  /** The declaration of one type. */
  textOf(name: string): string {
    return this.#texts.get(name) ?? ''
  }

  /** The file with all types, sorted by name. */
  render(): string {
    return this.names()
      .map((name) => this.#texts.get(name))
      .join('\n\n')
  }
}
