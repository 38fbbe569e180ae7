import { type Operation, type ReferenceKind, references } from '@crmkit/core'
import type { z } from 'zod'

/** A field of a query or a body that holds one value; `[]` in the path stands for each item of a list. */
export interface RequestField {
  place: 'query' | 'body'
  path: readonly string[]
  /** The kind of resource that the field names, if any. */
  to: ReferenceKind | undefined
  schema: z.core.$ZodType
}

export function fieldsOf({ request }: Operation): RequestField[] {
  const fieldsIn = (place: RequestField['place'], schema: z.core.$ZodType | undefined) =>
    schema === undefined ? [] : [...leavesOf(schema, [])].map((leaf) => ({ place, ...leaf }))
  return [...fieldsIn('query', request?.query), ...fieldsIn('body', request?.body)]
}

/** Returns whether the path holds an id of another system, which names no resource of any tenant by itself. */
export function hasExternalPath({ request }: Operation): boolean {
  const params = Object.values(request?.params?.shape ?? {})
  return params.some((schema) => references.get(schema as z.ZodType<string, string>)?.to === 'external')
}

/** The parameters of a path that hold an id. Others hold a word of a list, the name of a file, a number, or an id of another system. */
export function idParamsOf(operation: Operation): string[] {
  if (hasExternalPath(operation)) return []
  const params = operation.request?.params?.shape ?? {}
  return Object.entries(params).flatMap(([name, schema]) => {
    return name === 'path' || name === 'n' || (schema as z.core.$ZodType)._zod.def.type === 'enum'
      ? []
      : [name]
  })
}

/** Operations on one resource that the query names: without it they respond 422, and to an unknown id 404. */
export const readsByQuery: ReadonlySet<string> = new Set(['integrations.fields'])

/** Operations that respond 422 without their query. */
export const needsQuery: ReadonlySet<string> = new Set([...readsByQuery, 'search.find'])

/** Operations whose query names what they respond with, so that an unknown id is a 422. */
export const refusesUnknownInQuery: ReadonlySet<string> = new Set(['conversations.counts'])

/** Operations that respond with the outcome of each row: an unknown id is a row that failed. Each with a body for ids. */
export const failsByRow: Readonly<Record<string, (ids: readonly string[]) => object>> = {
  'customers.createMany': (ids) => ({ ids, addTags: ['vip'] }),
  'conversations.updateMany': (ids) => ({ ids, addLabels: ['vip'] }),
}

/** Lists that search for words only beside this query. */
export const searchesOnlyWith: Readonly<Record<string, string>> = { 'mails.list': 'needsYou=true' }

/** The rows of a list, the files of a package, or all groups of a search; a group that the caller may not read is null. */
export function rowsIn(id: string, data: unknown): unknown[] {
  if (id === 'imports.getPackage') return (data as { files: unknown[] }).files
  if (id !== 'search.find') return data as unknown[]
  const { conversations, messages, customers } = data as Record<string, unknown[]>
  return [conversations, messages, customers ?? []].flat()
}

type Leaf = Omit<RequestField, 'place'>

function* leavesOf(schema: z.core.$ZodType, path: readonly string[]): Generator<Leaf> {
  const to = references.get(schema as z.ZodType<string, string>)?.to
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (to !== undefined) yield { path, to, schema }
  else if (def.type === 'object') {
    for (const [name, inner] of Object.entries(def.shape)) yield* leavesOf(inner, [...path, name])
  } else if (def.type === 'array') yield* leavesOf(def.element, [...path, '[]'])
  else if (def.type === 'union') for (const option of def.options) yield* leavesOf(option, path)
  // A schema that transforms its value at the end is described by its input, every other schema by its output.
  else if (def.type === 'pipe') yield* leavesOf(isTransform(def.out) ? def.in : def.out, path)
  else if ('innerType' in def) yield* leavesOf(def.innerType, path)
  else yield { path, to, schema }
}

function isTransform(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'transform'
}

/** Returns the body with this value in the field; the other fields stay. */
export function withField(body: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (name === '[]') return [withField(undefined, rest, value)]
  const object = (body ?? {}) as Record<string, unknown>
  return { ...object, [name]: withField(object[name], rest, value) }
}
