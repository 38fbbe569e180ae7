import {
  type AnyOperation,
  operations as allOperations,
  areaDescriptions,
  areaOf,
  type Operation,
  type OperationAuth,
  requestExamples,
} from '@crmkit/core'
import { z } from 'zod'
import { createDocument } from 'zod-openapi'
import {
  describeWebhooks,
  receivedEventParameters,
  receivedEventResponses,
  receivedEventsTag,
} from './describe-webhooks.ts'
import { errorReference, errorResponses, errorStatusesOf } from './error-responses.ts'
import { nameNullableObjects, nameReplies, plainName, simplifyChoices } from './for-generators.ts'
import { linksOf, operationIdOf } from './links.ts'
import { openWords } from './open-words.ts'
import { shareFields, shareParameters, shareResponses, shareWords, simplifySchema } from './share-parts.ts'

export interface DocumentOptions {
  operations: readonly AnyOperation[]
  /** Where the API is: an address, or a path on the server that gave the document. */
  serverUrl: string
}

type Document = ReturnType<typeof createDocument>

// The version of the interface, not of the package. Source: specification 9.
const interfaceVersion = '1.1.0'

const anyCredential = [{ session: [] }, { apiKey: [] }, { apiKeyHeader: [] }]
/** Of the operations that take another credential than the document names for all. */
const security: Partial<Record<Operation['auth']['kind'], object[]>> = {
  none: [],
  session: [{ session: [] }],
  widgetSession: [{ visitor: [] }],
}

const securitySchemes = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a login. It lives 15 minutes; `POST /api/auth/refresh` renews it.',
  },
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key (`sk_live_…`) as a bearer token.' },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same API key.' },
  visitor: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The session of a visitor of the chat widget (`wst_…`), from `POST /api/v1/widget/sessions`.',
  },
} as const

/** The contract as an OpenAPI 3.1 document, made from the registry alone. */
export function buildDocument({ operations, serverUrl }: DocumentOptions): Document {
  const described: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const method = operation.method.toLowerCase()
    described[operation.path] = { ...described[operation.path], [method]: describeOperation(operation) }
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'crmkit',
        version: interfaceVersion,
        description:
          'Conversations, customers and signed webhooks, for many tenants. Every response carries `X-Request-Id`; every refusal has a `code` that stays and an `error` for people.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: serverUrl }],
      security: anyCredential,
      tags: [...tagsOf(operations), receivedEventsTag],
      paths: described,
      webhooks: describeWebhooks(),
      components: {
        securitySchemes,
        parameters: receivedEventParameters,
        responses: { ...errorResponses(operations), ...receivedEventResponses },
      },
    },
    { override: adaptSchema },
  )
  openReferences(document)
  openWords(document)
  simplifyChoices(document)
  const paths = document.paths ?? {}
  const schemas = (document.components?.schemas ?? {}) as Record<string, Record<string, unknown>>
  nameReplies(paths, schemas)
  shareFields(schemas)
  nameNullableObjects(schemas)
  shareWords(document)
  shareResponses(paths, document.components?.responses ?? {})
  shareParameters(paths, document.components?.parameters ?? {})
  return document
}

interface ConvertedSchema {
  jsonSchema: Record<string, unknown>
  zodSchema: { _zod: { def: { type: string } } }
  io: 'input' | 'output'
}

/** A response may gain fields: a client must not refuse fields that it does not know yet. */
function adaptSchema({ jsonSchema, zodSchema, io }: ConvertedSchema): void {
  simplifySchema(jsonSchema, io)
  if (io === 'output' && zodSchema._zod.def.type === 'object') delete jsonSchema['additionalProperties']
}

/**
 * The library calls no override for a described reference, so such a reference stays closed: it would refuse each field of
 * the schema that it names. The named schema says itself whether it is closed.
 */
function openReferences(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  if ('$ref' in node && 'additionalProperties' in node) delete node.additionalProperties
  for (const child of Object.values(node)) openReferences(child)
}

function tagsOf(operations: readonly AnyOperation[]) {
  return [...new Set(operations.map(areaOf))].map((name) => ({ name, description: areaDescriptions[name] }))
}

function describeOperation(declared: AnyOperation): object {
  // The union of all operations has no common optional fields; the interface has.
  const operation: Operation = declared
  const { summary, auth, request, upload, status, statusOfRepeat } = operation
  const done = { description: 'Done', content: responseContent(operation) }
  return {
    operationId: operationIdOf(operation),
    tags: [areaOf(operation)],
    summary,
    ...describeAtLength(operation),
    ...(security[auth.kind] && { security: security[auth.kind] }),
    parameters: parametersOf(operation),
    ...(upload && { requestBody: { required: true, content: fileContent(upload) } }),
    ...(request?.body && {
      requestBody: {
        required: !takesEmptyBody(operation),
        content: { 'application/json': { schema: request.body, ...exampleOf(declared.id) } },
      },
    }),
    responses: {
      [status]: { ...done, ...linksOf(operation, allOperations) },
      ...(statusOfRepeat && { [statusOfRepeat]: done }),
      ...Object.fromEntries(errorStatusesOf(declared).map((error) => [error, errorReference(error)])),
    },
  }
}

/** An operation that demands no field takes no body as well as an empty one. */
function takesEmptyBody({ request, rules = [] }: Operation): boolean {
  return request?.body?.safeParse({}).success === true && rules.every((rule) => rule.check({}) === undefined)
}

const bytes = { type: 'string', format: 'binary' } as const

function responseContent({ isStream, download, response }: Operation): object {
  // Without a schema several generators return nothing.
  if (download) return Object.fromEntries(download.map((type) => [type, { schema: bytes }]))
  return { [isStream ? 'text/event-stream' : 'application/json']: { schema: response } }
}

function fileContent({ field, bytesMax, fields, isRaw }: NonNullable<Operation['upload']>): object {
  // Several generators write code that does not compile for bytes beside a form.
  if (isRaw) return { 'application/octet-stream': { schema: bytes } }
  const description = `At most ${bytesMax / 1024 / 1024} MB, and not empty.`
  const file = {
    ...bytes,
    contentMediaType: 'application/octet-stream',
    description,
  }
  const schema = {
    type: 'object',
    // The texts come first in the form.
    properties: { ...textsOf(fields), [field]: file },
    required: [...demandedOf(fields), field],
    additionalProperties: false,
  }
  return { 'multipart/form-data': { schema } }
}

function demandedOf(fields: NonNullable<Operation['upload']>['fields']): string[] {
  const shape = Object.entries(fields?.shape ?? {})
  return shape.filter(([, field]) => !z.safeParse(field, undefined).success).map(([name]) => name)
}

/** Each field alone: the schema of the whole form has a name, so zod writes it as a reference without `properties`. */
function textsOf(fields: NonNullable<Operation['upload']>['fields']): object {
  const texts = Object.entries(fields?.shape ?? {}).map(([name, field]) => {
    const { $schema, ...described } = z.toJSONSchema(field)
    return [name, described]
  })
  return Object.fromEntries(texts)
}

function exampleOf(id: AnyOperation['id']) {
  const example = (requestExamples as Partial<Record<string, object>>)[id]
  return example && { example }
}

function describeAtLength({ description, auth, rules = [], emits = [] }: Operation) {
  const parts = [
    description,
    auth.kind === 'credential' ? 'Needs an API key or a session.' : '',
    auth.kind === 'session' ? `Needs a session of role \`${auth.role}\` or above; API keys are refused.` : '',
    auth.kind === 'widgetSession' ? 'Needs the session of a visitor; every other credential is refused.' : '',
    auth.kind === 'sessionOrKey' ? neededPermission(auth) : '',
    auth.kind === 'anyOf' ? `Needs one of the permissions \`${auth.permissions.join('`, `')}\`.` : '',
    ...rules.map((rule) => rule.description),
    emits.length > 0 ? `Events: ${emits.map((event) => `\`${event}\``).join(', ')}.` : '',
  ]
  const text = parts.filter(Boolean).join('\n\n')
  return text ? { description: text } : {}
}

function neededPermission({
  permission,
  also = [],
  role,
}: Extract<OperationAuth, { kind: 'sessionOrKey' }>): string {
  if (role === undefined) return `Needs the permission \`${permission}\`.`
  const needed = [permission, ...also].join('` and `')
  return `Needs a session of role \`${role}\` or above, or an API key with \`${needed}\`.`
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key with the same body within 24 hours gets the first response again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The `id` of the last message that was read; wins over `after`.',
  schema: { type: 'string', maxLength: 512 },
} as const

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
}

function parametersOf({ method, auth, idempotency, request, isStream }: Operation): Parameter[] {
  const hasIdempotency = method === 'POST' && auth.kind !== 'none' && idempotency !== 'never'
  return withoutOtherSpellings([
    ...parametersIn('path', request?.params),
    ...parametersIn('query', request?.query),
    ...parametersIn('header', request?.headers),
    ...(hasIdempotency ? [idempotencyKey] : []),
    ...(isStream ? [lastEventId] : []),
  ])
}

function withoutOtherSpellings(parameters: Parameter[]): Parameter[] {
  const keyOf = (parameter: Parameter) => `${parameter.in} ${plainName(parameter.name)}`
  return [...new Map(parameters.toReversed().map((one) => [keyOf(one), one])).values()].reverse()
}

/** Parameters as the values that they mean (a number, a boolean, a list), not as the text that transports them. */
function parametersIn(place: 'path' | 'query' | 'header', schema: z.ZodObject | undefined): Parameter[] {
  if (schema === undefined) return []
  const options = {
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }: { jsonSchema: object }) => simplifySchema(jsonSchema, 'input'),
  } as const
  const { properties = {} } = z.toJSONSchema(schema, { ...options, io: 'output' })
  const { required = [] } = z.toJSONSchema(schema, { ...options, io: 'input' })
  return Object.entries(properties as Record<string, { description?: string }>).map(
    ([name, { description, ...property }]) => ({
      name,
      in: place,
      ...((place === 'path' || required.includes(name)) && { required: true }),
      description,
      schema: property,
    }),
  )
}
