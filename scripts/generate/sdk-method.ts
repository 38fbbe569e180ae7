import { type Area, areaOf } from '../../packages/core/src/contract/areas.ts'
import type { Operation } from '../../packages/core/src/contract/define-operation.ts'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import { renderType } from './render-type.ts'
import type { TypeBook } from './type-book.ts'

/** A parameter of a path, as an argument of the method. */
export interface SdkParameter {
  name: string
  description: string
}

/** One operation as the SDK shows it. */
export interface SdkMethod {
  operation: Operation
  area: Area
  name: string
  /** The path's parameters, in the path's order. */
  params: SdkParameter[]
  query?: { type: string; canSort: boolean }
  body?: { type: string; isOptional: boolean }
  /** Takes a file. */
  isUpload: boolean
  /** Returns the whole envelope with a member that this field asks for. */
  whole?: Whole
  /** The member that a field of the request adds beside `data`; this method does not send it. */
  asked?: { asks: string; member: string; sample: string }
  /** The text of the form without which the reply is a list; this method sends it. */
  listWithout?: string
  /**
   * `plain` returns the envelope's `data`, `message` an envelope without `data`, `list` a page of rows, `log` a page of the
   * event log, `stream` an endless stream of events, `download` a file.
   */
  reply: { kind: 'stream' | 'download'; type: string } | MessageOnlyReply | PlainReply | ListReply
}

/** How a method asks for a member beside `data`, and the types of both. */
interface Whole {
  asks: string
  member: string
  memberType: string
}

interface MessageOnlyReply {
  kind: 'message'
  type: string
  /** The envelope, where it has more members than a message. */
  envelope?: JsonSchema
}

interface PlainReply {
  kind: 'plain'
  type: string
  schema: JsonSchema
  /** The envelope's members that it always has, besides `success` and `data`. */
  beside: Record<string, JsonSchema>
}

interface ListReply {
  kind: 'list' | 'log'
  /** One row. */
  type: string
  schema: JsonSchema
  rows: string
}

function sdkMethodOf(operation: Operation, book: TypeBook): SdkMethod {
  const area = areaOf(operation)
  const name = operation.id.slice(area.length + 1)
  const method: SdkMethod = {
    operation,
    area,
    name,
    params: paramsOf(operation, area),
    isUpload: operation.upload !== undefined,
    reply: replyOf(operation, book),
  }
  const { query } = operation.request ?? {}
  // The texts of a form come before its file.
  const body = operation.upload?.fields ?? operation.request?.body
  if (query) method.query = queryOf({ operation, area, name }, book)
  if (body) {
    const { type, schema } = book.typeOf(body, 'request')
    // Only a DELETE, and a form beside its file, work without the body that they may carry.
    const mayLackBody = operation.method === 'DELETE' || method.isUpload
    method.body = { type, isOptional: mayLackBody && (schema.required ?? []).length === 0 }
  }
  return method
}

/** The methods of an operation: one that returns `data`, and one that asks for a member beside it too, or sends another form. */
export function sdkMethodsOf(operation: Operation, book: TypeBook): [SdkMethod, ...SdkMethod[]] {
  const { beside, request, upload } = operation
  if (upload?.without) {
    const { fields, response, method: name, summary, description } = upload.without
    const id = `${areaOf(operation)}.${name}`
    const other = { ...operation, id, summary, description, response, upload: { ...upload, fields } }
    return [{ ...sdkMethodOf(operation, book), listWithout: upload.without.text }, sdkMethodOf(other, book)]
  }
  if (beside === undefined) return [sdkMethodOf(operation, book)]
  // A query asks for nothing but the member.
  const { query, ...others } = request ?? {}
  const method = sdkMethodOf({ ...operation, request: others }, book)
  const { type, schema } = book.typeOf(operation.response, 'response')
  const { properties: { [beside.member]: member = {} } = {} } = schema
  const memberType = renderType(member, 'response')
  const whole: SdkMethod = {
    ...method,
    operation: { ...operation, id: `${method.area}.${beside.method}`, summary: beside.summary },
    name: beside.method,
    ...(query && {
      query: { type: `{ readonly ${beside.asks}: Part | readonly Part[] }`, canSort: false },
    }),
    reply: { kind: 'message', type, envelope: schema },
    whole: { asks: beside.asks, member: beside.member, memberType },
  }
  return [{ ...method, asked: { ...beside, sample: `make${memberType}()` } }, whole]
}

export function pascal(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function kebab(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function camel(text: string): string {
  return text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** `{id}` is called `id` when it names the area's own resource, else after the collection before it. */
function paramsOf({ path, request }: Operation, area: string): SdkParameter[] {
  const { properties = {} } = request?.params ? jsonSchemaOf(request.params, 'input') : {}
  const segments = path.split('/')
  return segments.flatMap((segment, index) => {
    const param = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (param === undefined) return []
    const collection = segments[index - 1] ?? ''
    const isOwn = param !== 'id' || collection.startsWith('{') || camel(collection) === area
    const name = isOwn ? param : `${camel(collection).replace(/s$/, '')}Id`
    return { name, description: properties[param]?.description ?? '' }
  })
}

function queryOf({ operation, area, name }: Pick<SdkMethod, 'operation' | 'area' | 'name'>, book: TypeBook) {
  const source = operation.request?.query
  if (!source) throw new Error(`${operation.id} has no query`)
  // The output side has the type of a filter; the input side is its text in a URL.
  const schema: JsonSchema = source.toJSONSchema({ io: 'output', unrepresentable: 'any' }) as JsonSchema
  book.addDefinitions(schema, 'request')
  const type = `${pascal(area)}${pascal(name)}Query`
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, part]) => [key, oneOrMany(part)]),
  )
  const description = `Filters and paging of \`${area}.${name}\`.`
  book.add(type, { ...schema, properties, required: [], description }, 'request')
  return { type, canSort: schema.properties?.['sort']?.enum?.includes('createdAt') ?? false }
}

/** A filter that takes several values takes a single one too. */
function oneOrMany(part: JsonSchema): JsonSchema {
  return part.type === 'array' && part.items
    ? { anyOf: [part.items, part], description: part.description ?? '' }
    : part
}

function replyOf(operation: Operation, book: TypeBook): SdkMethod['reply'] {
  if (operation.download) return { kind: 'download', type: 'Response' }
  const { schema, type } = book.typeOf(operation.response, 'response')
  if (operation.isStream) return { kind: 'stream', type: 'EventStream' }
  const { data, pagination } = schema.properties ?? {}
  if (!data) return messageReply(operation, { schema, type })
  const isLog = pagination?.properties !== undefined && !('total' in pagination.properties)
  if (isLog) return { ...listReply(data.items), kind: 'log' }
  if (pagination) return listReply(data.items)
  const named = Object.entries(data.properties ?? {}).find(([, member]) => member.type === 'array')
  if (named && data.properties?.['nextCursor']) return listReply(named[1].items, named[0])
  const required = new Set(schema.required)
  const beside = Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(
      ([name]) => required.has(name) && name !== 'success' && name !== 'data',
    ),
  )
  return { kind: 'plain', type: renderType(data, 'response', '  '), schema: data, beside }
}

/** Throws for an envelope with more than a message that has no name. */
function messageReply({ id }: Operation, { schema, type }: ReturnType<TypeBook['typeOf']>): MessageOnlyReply {
  const members = Object.keys(schema.properties ?? {})
  if (members.join() === 'success,message') return { kind: 'message', type: 'MessageReply' }
  if (!/^\w+$/.test(type)) throw new Error(`${id}: give its envelope a name with .meta()`)
  return { kind: 'message', type, envelope: schema }
}

function listReply(schema: JsonSchema = {}, rows = ''): ListReply {
  return { kind: 'list', type: renderType(schema, 'response'), schema, rows }
}
