import { operations } from '@crmkit/core'
import { expect, test } from 'vitest'
import { buildDocument } from '../../src/http/pages/api-docs/build-document.ts'

// Each of these has broken a client that somebody's generator makes: OpenAPI Generator for Python, Java, Go and
// TypeScript, openapi-python-client, oapi-codegen.

interface Schema {
  type?: unknown
  format?: unknown
  const?: unknown
  default?: unknown
  enum?: unknown
  minLength?: unknown
  maximum?: number
  pattern?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  anyOf?: Schema[]
}

interface Described {
  responses?: unknown
  operationId?: string
  tags?: string[]
  parameters?: Parameter[]
}

interface Parameter {
  name: string
  in: string
  $ref?: string
}

interface Described31 {
  paths: Record<string, Record<string, Described>>
  webhooks: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

const plain = (name: string) => name.replaceAll(/[-_. ]/g, '').toLowerCase()

/** The rule and the place of each fault. */
function faultsOf({ paths, webhooks, components }: Described31): string[] {
  const { schemas } = components
  const faults: string[] = []
  const operationsOf = (items: Described31['paths']) =>
    Object.values(items).flatMap((item) => Object.values(item))
  const tags = new Set(operationsOf(paths).flatMap((operation) => operation.tags?.map(plain) ?? []))
  for (const tag of operationsOf(webhooks).flatMap((operation) => operation.tags ?? []))
    if (tags.has(plain(tag))) faults.push(`a tag of paths and webhooks: ${tag}`)
  for (const { operationId, parameters = [] } of operationsOf(paths)) {
    const found = parameters.map(
      ({ $ref, ...own }) => components.parameters[$ref?.split('/').at(-1) ?? ''] ?? own,
    )
    const names = found.map((parameter) => `${parameter.in} ${plain(parameter.name)}`)
    if (new Set(names).size < names.length) faults.push(`two spellings of a parameter: ${operationId}`)
  }
  const known = new Set(Object.keys(schemas).map(plain))
  for (const [owner, { properties = {} }] of Object.entries(schemas)) {
    for (const [name, schema] of Object.entries(properties)) {
      const isInline = [schema, ...(schema.anyOf ?? [])].some(
        (one) => one.type === 'object' && one.properties,
      )
      if (isInline && known.has(plain(owner + name))) faults.push(`the name of a schema: ${owner}.${name}`)
    }
  }
  const visit = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return
    faults.push(...faultsIn(node).map((fault) => `${fault}: ${place}`))
    for (const [key, inner] of Object.entries(node)) visit(inner, `${place}/${key}`)
  }
  visit({ paths, webhooks, schemas }, '')
  return faults
}

function faultsIn(schema: Schema): string[] {
  const { anyOf = [], properties, required = [] } = schema
  const options = Array.isArray(anyOf) ? anyOf : []
  const besideNull = options.some(({ type }) => type === 'null')
    ? options.filter(({ type }) => type !== 'null')
    : []
  const [one, other] = besideNull
  const isPlain = one?.type !== undefined && one.enum === undefined && one.properties === undefined
  const isMissing = (name: string) => properties !== undefined && !(name in properties)
  const isClosed = schema.additionalProperties === false && Array.isArray(required)
  const found = {
    'a required member that is not declared': isClosed && required.some(isMissing),
    'a constant that is no text': schema.const !== undefined && typeof schema.const !== 'string',
    'an integer that 32 bits may not hold': isLong(schema) && schema.format !== 'int64',
    'a default of null': schema.default === null,
    'a length of bytes': schema.format === 'binary' && schema.minLength !== undefined,
    'a pattern of a time': schema.format === 'date-time' && schema.pattern !== undefined,
    'a choice of choices': options.some((option) => option.anyOf !== undefined),
    'an object without a name beside null': besideNull.some(({ properties }) => properties !== undefined),
    'null as a choice of its own': other === undefined && isPlain,
  }
  return Object.entries(found).flatMap(([fault, isFound]) => (isFound ? [fault] : []))
}

const isLong = ({ type, maximum = Infinity }: Schema) =>
  [type].flat().includes('integer') && !(maximum < 2 ** 31)

/** The places of lists of words that a client would refuse to see longer: in responses, in events, and in what they refer to. */
function closedWordsOf({ paths, webhooks, components }: Described31): string[] {
  const seen = new Set<string>()
  const closed: string[] = []
  const visit = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return
    if ('enum' in node && Array.isArray(node.enum)) closed.push(place)
    const isTypeOfEvent = place.startsWith('webhooks/') && place.endsWith('/properties/event')
    if ('const' in node && !isTypeOfEvent) closed.push(place)
    const [, part = '', name = ''] =
      /^#\/components\/(\w+)\/(.+)$/.exec('$ref' in node ? String(node.$ref) : '') ?? []
    if (name !== '' && !seen.has(`${part}/${name}`)) {
      seen.add(`${part}/${name}`)
      visit((components as unknown as Record<string, Record<string, unknown>>)[part]?.[name], name)
    }
    for (const [key, inner] of Object.entries(node)) visit(inner, `${place}/${key}`)
  }
  for (const [path, item] of Object.entries(paths))
    for (const { responses } of Object.values(item)) visit(responses, path)
  visit(webhooks, 'webhooks')
  return closed
}

const build = () => buildDocument({ operations, serverUrl: '/' }) as unknown as Described31

test('the document has nothing that the code generators of others cannot read', () => {
  expect(faultsOf(build())).toEqual([])
})

test('a file of an import demands its module alone beside the file', () => {
  const operation = JSON.stringify(build().paths['/api/extcrm/integrations/{id}/files']?.['post'])
  expect(operation).toContain('"required":["module","file"]')
})

test('a word that a later server adds to a response or an event breaks no client, and requests take the known words alone', () => {
  const document = build()
  expect(closedWordsOf(document)).toEqual([])
  const { Customer, CreateCustomer } = document.components.schemas
  const words = ['bronze', 'silver', 'gold', 'platinum']
  expect(Customer?.properties?.['tier']).toEqual({
    type: 'string',
    'x-extensible-enum': words,
    description: 'Service level. Known: `bronze`, `silver`, `gold`, `platinum`.',
  })
  const reference = { $ref: '#/components/schemas/CreateCustomerTier' }
  expect(CreateCustomer?.properties?.['tier']?.anyOf).toEqual([reference, { type: 'null' }])
  expect(document.components.schemas['CreateCustomerTier']?.enum).toEqual(words)
  Object.assign(Customer?.properties ?? {}, { tier: { type: 'string', enum: words } })
  expect(closedWordsOf(document)).toEqual(['Customer/properties/tier'])
})

test('planted faults are found', () => {
  const document = build()
  const [, item] = Object.entries(document.paths)[0] ?? []
  const [operation] = Object.values(item ?? {})
  if (operation === undefined) throw new Error('the document has no operation')
  operation.parameters = [
    { name: 'customer_id', in: 'query' },
    { name: 'customerId', in: 'query' },
  ]
  document.webhooks['x'] = { post: { tags: operation.tags ?? [] } }
  document.components.schemas['Planted'] = {
    required: ['g'],
    properties: {
      a: { anyOf: [{ type: 'object', properties: {} }, { type: 'null' }] },
      b: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      c: { anyOf: [{ anyOf: [] }] },
      d: { const: true },
      e: { format: 'binary', minLength: 1 },
      f: { format: 'date-time', pattern: 'x' },
      h: { type: ['integer', 'null'] },
      i: { default: null },
    },
    additionalProperties: false,
  }
  document.components.schemas['PlantedA'] = {}
  expect(new Set(faultsOf(document).map((fault) => fault.split(':')[0]))).toEqual(
    new Set([
      'a tag of paths and webhooks',
      'two spellings of a parameter',
      'the name of a schema',
      'a required member that is not declared',
      'a constant that is no text',
      'an integer that 32 bits may not hold',
      'a default of null',
      'a length of bytes',
      'a pattern of a time',
      'a choice of choices',
      'an object without a name beside null',
      'null as a choice of its own',
    ]),
  )
})
