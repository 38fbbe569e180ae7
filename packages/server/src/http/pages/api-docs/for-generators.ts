// Programs that make clients from the document read less of JSON Schema than validators do. Parts that they cannot read are
// written in another way here; `test/http/code-generators.test.ts` has the rules.

import { freeName, isHolder, pascal } from './share-parts.ts'

type Holder = Record<string, unknown>

const isNull = (schema: unknown) => isHolder(schema) && schema['type'] === 'null'
const isObject = (schema: unknown): schema is Holder => isHolder(schema) && schema['type'] === 'object'

/** `integration_id` and `integrationId` are one name in a language without underscores in names. */
export function plainName(name: string): string {
  return name.replaceAll(/[-_. ]/g, '').toLowerCase()
}

/** Changes each choice with null, and each choice of choices, in a schema and below it. */
export function simplifyChoices(node: unknown): void {
  if (!isHolder(node)) return
  for (const inner of Object.values(node)) simplifyChoices(inner)
  const { anyOf } = node
  if (!Array.isArray(anyOf)) return
  const options = anyOf.flatMap((option) =>
    isHolder(option) && Array.isArray(option['anyOf']) && Object.keys(option).length === 1
      ? option['anyOf']
      : [option],
  )
  node['anyOf'] = options
  const [one, ...others] = options.filter((option) => !isNull(option))
  if (others.length > 0 || options.length < 2 || !isPlain(one)) return
  delete node['anyOf']
  Object.assign(node, { ...one, ...node, type: [one['type'], 'null'] })
}

/** Whether a schema stays true with null as a second type: a list of words or an object with members does not. */
function isPlain(schema: unknown): schema is Holder {
  return (
    isHolder(schema) && typeof schema['type'] === 'string' && !('enum' in schema) && !('properties' in schema)
  )
}

/** Gives each object beside null a schema of its own, named by its owner and its member. */
export function nameNullableObjects(schemas: Record<string, Holder>): void {
  const names = new Map<string, string>()
  const nameOf = (option: Holder, wanted: string): string => {
    const text = JSON.stringify(option)
    const known = names.get(text)
    if (known !== undefined) return known
    const name = freeName(wanted, schemas)
    names.set(text, name)
    schemas[name] = { description: `\`${wanted}\`, where it is not null.`, ...option }
    return name
  }
  const visit = (node: unknown, path: readonly string[]): void => {
    if (!isHolder(node)) return
    for (const [key, inner] of Object.entries(node)) visit(inner, isWord(key) ? path : [...path, key])
    const { anyOf } = node
    if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return
    node['anyOf'] = anyOf.map((option) =>
      isObject(option) && 'properties' in option
        ? { $ref: `#/components/schemas/${nameOf(option, path.map(pascal).join(''))}` }
        : option,
    )
  }
  for (const [owner, schema] of Object.entries(schemas)) visit(schema, [owner])
}

const isWord = (key: string) => /^(\d+|properties|anyOf|oneOf|items|additionalProperties)$/.test(key)

interface Replies {
  readonly operationId: string
  readonly responses: Record<string, { content?: Record<string, { schema?: Holder }> }>
}

/**
 * Gives the envelope of each reply a schema of its own: `CustomerReply` for every operation that returns a customer. Without names
 * generators count them, and a new operation renames the types of others.
 */
export function nameReplies(paths: object, schemas: Record<string, Holder>): void {
  const names = new Map<string, string>()
  const operations = Object.values(paths as Record<string, Record<string, Replies>>)
  for (const { operationId, responses } of operations.flatMap((path) => Object.values(path))) {
    for (const { content } of Object.values(responses)) {
      const described = content?.['application/json']
      const { schema } = described ?? {}
      if (described === undefined || !isObject(schema)) continue
      const text = JSON.stringify(schema)
      const name = names.get(text) ?? freeName(`${contentOf(schema) ?? pascal(operationId)}Reply`, schemas)
      names.set(text, name)
      schemas[name] = { description: 'The body of a response.', ...schema }
      described.schema = { $ref: `#/components/schemas/${name}` }
    }
  }
}

/** `Customer` of a reply with one, `CustomerList` of a list of them. */
function contentOf({ properties }: Holder): string | undefined {
  const {
    data,
    success: _success,
    pagination: _pagination,
    ...others
  } = (properties ?? {}) as Record<string, Holder>
  const [other, ...more] = Object.keys(others)
  if (more.length > 0) return undefined
  if (data === undefined) return other === 'message' ? 'Confirmation' : undefined
  const isList = data['type'] === 'array'
  const content = isList ? data['items'] : data
  const [, name] = /schemas\/(\w+)$/.exec(isHolder(content) ? String(content['$ref']) : '') ?? []
  if (name === undefined || other !== undefined) return undefined
  return isList ? `${name}List` : name
}
