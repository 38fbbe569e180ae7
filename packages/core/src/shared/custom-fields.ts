import { z } from 'zod'
import { rule } from './rule.ts'

const keysMax = 200
const bytesMax = 32 * 1024

/** Names that would reach an object's prototype in a careless receiver; refused anywhere in a body. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Any JSON value. */
export const jsonValue = z.unknown().meta({ id: 'JsonValue' }) as z.ZodType<z.core.util.JSONType>

/** The path to the first infinite number: `1e999` is parsed as infinity, which JSON cannot represent. */
function infinitePath(value: unknown): PropertyKey[] | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const path = infinitePath(inner)
    if (path) return [key, ...path]
  }
  return undefined
}

/** Free-form fields: any JSON, at most 200 keys at the top and 32 KB as JSON. Keys may hold `.` and `$`. */
export const customFields = z
  .record(z.string().min(1).max(128), jsonValue)
  .refine((fields) => Object.keys(fields).length <= keysMax, rule('max', `must have at most ${keysMax} keys`))
  .refine(
    (fields) => new TextEncoder().encode(JSON.stringify(fields)).length <= bytesMax,
    rule('max_bytes', 'must be at most 32 KB as JSON'),
  )
  .superRefine((fields, context) => {
    const path = infinitePath(fields)
    if (path)
      context.addIssue({
        code: 'custom',
        path,
        message: 'must be a finite number',
        params: { rule: 'finite' },
      })
  })

/**
 * Free-form fields in a response. They were checked in the request; parsing them again for every response would cost
 * more than reading the row.
 */
export const storedCustomFields = z.record(z.string(), jsonValue)
