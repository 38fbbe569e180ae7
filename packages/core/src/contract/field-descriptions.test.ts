import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Operation } from './define-operation.ts'
import { operations } from './operations.ts'

interface Schema {
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  allOf?: Schema[]
  $ref?: string
  $defs?: Record<string, Schema>
}

interface Walk {
  root: Schema
  /** Named types on the way, because types can contain themselves. */
  seen: ReadonlySet<string>
}

/** The path of every field below a schema that has no description, neither its own nor that of its named type. */
function undescribed(schema: Schema, path: string, { root, seen }: Walk): string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/$defs/', '')
    if (seen.has(name)) return []
    return undescribed(root.$defs?.[name] ?? {}, name, { root, seen: new Set([...seen, name]) })
  }
  const inner = [
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ]
  return [
    ...inner.flatMap((part) => undescribed(part, path, { root, seen })),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      ...(isDescribed(field, root) ? [] : [`${path}.${name}`]),
      ...undescribed(field, `${path}.${name}`, { root, seen }),
    ]),
  ]
}

function isDescribed(field: Schema, root: Schema): boolean {
  const named = field.$ref === undefined ? undefined : root.$defs?.[field.$ref.replace('#/$defs/', '')]
  return Boolean(field.description ?? named?.description)
}

function undescribedFields(schema: z.ZodType | undefined, part: string, io: 'input' | 'output'): string[] {
  if (schema === undefined) return []
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  return undescribed(root, part, { root, seen: new Set() })
}

describe('every field is described for people', () => {
  it.each(operations.map((operation: Operation) => [operation.id, operation] as const))(
    '%s describes each path parameter, query parameter, body field and response field',
    (_, { request, response }) => {
      expect([
        ...undescribedFields(request?.params, 'path', 'input'),
        ...undescribedFields(request?.query, 'query', 'output'),
        ...undescribedFields(request?.body, 'body', 'input'),
        ...undescribedFields(response, 'response', 'output'),
      ]).toEqual([])
    },
  )

  it('finds a missing description in nested objects, lists, maps, unions and named types', () => {
    const named = z.object({ inNamed: z.string() }).meta({ id: 'NamedWithoutDescription' })
    const planted = z.object({
      plain: z.string(),
      object: z.object({ inObject: z.string() }).describe('Described.'),
      list: z.array(z.object({ inList: z.string() })).describe('Described.'),
      map: z.record(z.string(), z.object({ inMap: z.string() })).describe('Described.'),
      union: z.union([z.object({ inUnion: z.string() }), z.null()]).describe('Described.'),
      named,
      fine: z.string().nullable().optional().describe('Described.'),
    })
    expect(undescribedFields(planted, 'body', 'input').sort()).toEqual(
      [
        'NamedWithoutDescription.inNamed',
        'body.list.inList',
        'body.map.inMap',
        'body.named',
        'body.object.inObject',
        'body.plain',
        'body.union.inUnion',
      ].sort(),
    )
  })
})
