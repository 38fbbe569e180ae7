import { z } from 'zod'
import { rule } from './rule.ts'

const keysMax = 200
const bytesMax = 32 * 1024

/** Names that would reach an object's prototype in a careless receiver; refused anywhere in a body. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Free-form fields: any JSON, at most 200 keys at the top and 32 KB as JSON. Keys may hold `.` and `$`. */
export const customFields = z
  .record(z.string().min(1).max(128), z.json())
  .refine((fields) => Object.keys(fields).length <= keysMax, rule('max', `must have at most ${keysMax} keys`))
  .refine(
    (fields) => new TextEncoder().encode(JSON.stringify(fields)).length <= bytesMax,
    rule('max_bytes', 'must be at most 32 KB as JSON'),
  )

export const storedJson = z.unknown().meta({ id: 'JsonValue' }) as z.ZodType<z.core.util.JSONType>

/**
 * Free-form fields in an answer. They were checked when they came in; going through them again for every
 * answer would cost more than reading the row.
 */
export const storedCustomFields = z.record(z.string(), storedJson)
