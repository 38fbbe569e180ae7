// The schemas of the contract repeat groups of fields. In the document each stands once, among the components, because programs
// that read it have limits.

interface Schema {
  type?: unknown
  format?: unknown
  pattern?: unknown
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
}

type Holder = Record<string, unknown>

/** A reference needs about 50 characters of its own. */
const charactersMin = 150
const charactersOfParameterMin = 100

export const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

export const pascal = (name: string) =>
  name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Returns the name, with a number behind it when it is taken. */
export function freeName(wanted: string, taken: object): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}${number}`
    if (!Object.hasOwn(taken, name)) return name
  }
}

/**
 * Removes what a schema says twice: `format` says what the pattern of a moment says, and with both a generator makes a text of
 * it. Every integer is safe in a response. Several generators know no constant that is a boolean or a number: its description
 * says it. An integer without a format has 32 bits in a client, which are too few for bytes.
 */
export function simplifySchema(schema: Schema, io: 'input' | 'output'): void {
  if (schema.format === 'date-time') delete schema.pattern
  if (typeof schema.const === 'number') schema.type = Number.isInteger(schema.const) ? 'integer' : 'number'
  if (typeof schema.const === 'boolean' || typeof schema.const === 'number') delete schema.const
  // A response says each value, and a generator makes a time of the text null.
  if (io === 'output' || schema.default === null) delete schema.default
  if (schema.type !== 'integer') return
  if (!((schema.maximum ?? Infinity) <= largestOfInt32)) schema.format = 'int64'
  if (io !== 'output') return
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

const largestOfInt32 = 2 ** 31 - 1

interface Use {
  readonly holder: Holder
  readonly key: string
  readonly owner: string
  readonly property: string
}

/**
 * Gives each group of fields that repeats a schema of its own, named by its shortest owner. The largest is the first: what it
 * contains moves with it.
 */
export function shareFields(components: object): void {
  const schemas = components as Record<string, Holder>
  for (;;) {
    const uses = new Map<string, Use[]>()
    for (const [owner, schema] of Object.entries(schemas)) findUses(schema, { owner, property: '' }, uses)
    const [repeated] = [...uses]
      .filter(([, places]) => places.length > 1)
      .sort(([a], [b]) => b.length - a.length)
    if (repeated === undefined) return
    const [text, places] = repeated
    const [named] = [...places].sort((a, b) => a.owner.length - b.owner.length)
    if (named === undefined) return
    const name = freeName(`${named.owner}${pascal(named.property)}`, schemas)
    for (const { holder, key } of places) holder[key] = { $ref: `#/components/schemas/${name}` }
    schemas[name] = {
      description: `\`${named.property}\` of ${named.owner}.`,
      ...(JSON.parse(text) as Schema),
    }
  }
}

function findUses(
  node: Holder,
  { owner, property }: { owner: string; property: string },
  uses: Map<string, Use[]>,
): void {
  for (const [key, inner] of Object.entries(node)) {
    if (!isHolder(inner)) continue
    const name = /^\d+$|^(properties|anyOf|oneOf|items|additionalProperties)$/.test(key) ? property : key
    const text = isHolder(inner['properties']) && inner['type'] === 'object' ? JSON.stringify(inner) : ''
    if (text.length >= charactersMin)
      uses.set(text, [...(uses.get(text) ?? []), { holder: node, key, owner, property: name }])
    findUses(inner, { owner, property: name }, uses)
  }
}

/** A list of words of a request is closed, one of a response is open (`openWords`). */
const wordKeys = ['enum', 'x-extensible-enum']

const wordsOf = (node: Holder) =>
  Object.fromEntries(wordKeys.filter((key) => Array.isArray(node[key])).map((key) => [key, node[key]]))

interface Words {
  node: Holder
  /** The place in the document, such as `CreateWebhook` and `events`. */
  path: readonly string[]
}

/**
 * Gives each list of words that repeats, such as the types of events, a schema of its own; also one that stands once beside null,
 * which would have no name in a client.
 */
export function shareWords(document: {
  paths?: unknown
  components?: { schemas?: unknown } | undefined
}): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Holder>
  const uses: Words[] = []
  findWords(schemas, [], uses)
  const [named, count] = [new Map<string, string>(), uses.length]
  findWords(document.paths, [], uses)
  const byText = Map.groupBy(uses, ({ node }) => JSON.stringify(wordsOf(node)))
  for (const {
    node,
    path: [owner = '', , property = ''],
  } of uses.slice(0, count)) {
    const text = JSON.stringify(wordsOf(node))
    if (!named.has(text)) named.set(text, `${owner}${pascal(property)}`)
  }
  for (const [text, wanted] of named) {
    const places = byText.get(text) ?? []
    if (places.length < 2 && !places.some(({ path }) => path.includes('anyOf'))) continue
    const name = freeName(wanted, schemas)
    for (const { node } of places) referTo(node, name)
    schemas[name] = { type: 'string', ...(JSON.parse(text) as Holder), description: 'One of these words.' }
  }
}

/** Makes a list of words a reference to the schema, which lists them. */
function referTo(node: Holder, name: string): void {
  for (const key of ['type', ...wordKeys]) delete node[key]
  node['$ref'] = `#/components/schemas/${name}`
  const [own = ''] = String(node['description'] ?? '').split('Known: ', 1)
  node['description'] = own.trim() || undefined
}

function findWords(node: unknown, path: readonly string[], uses: Words[]): void {
  if (!isHolder(node)) return
  // A client has a type for each closed list, but an open one is a text to it.
  const isWorthIt = Array.isArray(node['enum']) || JSON.stringify(wordsOf(node)).length >= charactersMin
  if (node['type'] === 'string' && isWorthIt) uses.push({ node, path })
  for (const [key, inner] of Object.entries(node)) findWords(inner, [...path, key], uses)
}

const usesMin = 2

interface Response {
  responses: Holder
  status: string
}

/** Gives each response of a success that several operations have, such as a confirmation, a place among the components. */
export function shareResponses(paths: object, components: object): void {
  const named = components as Record<string, object>
  const operations = Object.values(paths as Record<string, Record<string, { responses: Holder }>>)
  const all = operations
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses }) => Object.keys(responses).map((status) => ({ responses, status })))
    .filter(({ responses, status }) => !isReference(responses[status]))
  const byText = Map.groupBy(all, ({ responses, status }: Response) => JSON.stringify(responses[status]))
  for (const [text, uses] of byText) {
    if (uses.length < usesMin) continue
    const [, body = ''] = /components\/schemas\/(\w+)/.exec(text) ?? []
    const name = freeName(`${body.replace(/Reply\d?$/, '')}Done`, named)
    named[name] = JSON.parse(text) as object
    for (const { responses, status } of uses) responses[status] = { $ref: `#/components/responses/${name}` }
  }
}

const isReference = (value: unknown) => isHolder(value) && '$ref' in value

interface Parameter {
  readonly name: string
  readonly description?: string
}

/** Gives each parameter that several operations take a place among the components, named by what it is. */
export function shareParameters(paths: object, components: object): void {
  const named = components as Record<string, object>
  const lists = Object.values(paths as Record<string, Record<string, { parameters?: Parameter[] }>>)
    .flatMap((path) => Object.values(path))
    .flatMap(({ parameters }) => (parameters === undefined ? [] : [parameters]))
  const byText = Map.groupBy(
    lists.flatMap((list) => list.map((parameter, index) => ({ list, index, parameter }))),
    ({ parameter }) => JSON.stringify(parameter),
  )
  for (const [text, uses] of byText) {
    const [first] = uses
    if (first === undefined || uses.length < usesMin || text.length < charactersOfParameterMin) continue
    const name = freeName(nameOfParameter(first.parameter), named)
    named[name] = JSON.parse(text) as object
    for (const { list, index } of uses)
      list[index] = { $ref: `#/components/parameters/${name}` } as unknown as Parameter
  }
}

/** `CustomerId` of an `id` that is the id of a customer. */
function nameOfParameter({ name, description = '' }: Parameter): string {
  const [, owner] = name === 'id' ? (/^Id of the ([\w ]+)\.$/.exec(description) ?? []) : []
  return owner === undefined ? pascal(name) : `${pascal(owner.replaceAll(' ', '-'))}Id`
}
