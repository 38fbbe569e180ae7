/** The part of JSON Schema that the contract's schemas turn into. */
export interface JsonSchema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  description?: string
  default?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
  /** A member that the value never has, so that a union with a larger object can be read without a cast. */
  isAbsent?: true
}

/** The part of `z.ZodType` that this folder uses: it does not depend on zod. */
export interface SchemaSource {
  toJSONSchema(options: { io: 'input' | 'output'; unrepresentable: 'any' }): object
}

export type Side = 'request' | 'response'

export function jsonSchemaOf(source: SchemaSource, io: 'input' | 'output'): JsonSchema {
  return source.toJSONSchema({ io, unrepresentable: 'any' })
}

/** The name behind a `$ref`. */
export function refName(ref: string): string {
  return ref.replace('#/$defs/', '')
}

/** Returns the definition that a schema with a name of its own refers to. */
export function resolved(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema
  return schema.$defs?.[refName(schema.$ref)] ?? schema
}
