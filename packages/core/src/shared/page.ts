import { z } from 'zod'
import { pageSizeMax } from './page-limits.ts'
import { referenceTo } from './reference.ts'

const pageMax = 2 ** 31 - 1

/** A whole number in a query string. */
export function queryInteger(options: { min: number; max: number }) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(options.min).max(options.max))
}

export const queryBoolean = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .pipe(z.boolean())

/** An array in a query string: repeated (`tags=a&tags=b`) or comma separated (`tags=a,b`). */
export function queryArray<S extends z.ZodType<unknown, string>>(item: S, { min = 0 } = {}) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((value) =>
      [value]
        .flat()
        .flatMap((text) => text.split(','))
        .map((text) => text.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item).min(min).max(100))
}

/** The paging parameters of every list. */
export function pageQuery(defaultLimit: number) {
  return {
    page: queryInteger({ min: 1, max: pageMax }).default(1).describe('Number of the page, from 1.'),
    limit: queryInteger({ min: 1, max: pageSizeMax }).default(defaultLimit).describe('Rows per page.'),
    cursor: referenceTo('position', z.string().max(512))
      .optional()
      .describe('`nextCursor` of the page before. It replaces `page`, and costs the same at any depth.'),
  }
}

export interface PageRequest {
  page: number
  limit: number
  cursor?: string | undefined
}
