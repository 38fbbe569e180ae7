import { z } from 'zod'

/**
 * Blank strings of a body as null, wherever the schema takes null: forms send "" for "no value". Free-form
 * objects and required fields are left as they are.
 */
export function blanksToNull(
  schema: z.ZodObject,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const cleaned: Record<string, unknown> = { ...body }
  for (const [field, value] of Object.entries(body)) {
    const inner = Object.hasOwn(schema.shape, field) ? schema.shape[field] : undefined
    if (inner === undefined) continue
    if (typeof value === 'string' && value.trim() === '' && z.safeParse(inner, null).success) {
      cleaned[field] = null
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const object = unwrapped(inner)
      if (object instanceof z.ZodObject) cleaned[field] = blanksToNull(object, { ...value })
    }
  }
  return cleaned
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap())
    : schema
}
