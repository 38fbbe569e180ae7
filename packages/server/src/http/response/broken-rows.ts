import type { AnyOperation } from '@crmkit/core'
import type { z } from 'zod'
import { reportLeftOut } from '../../storage/rules/readable-rows.ts'

interface BrokenRow {
  /** The list that the row is in: that of the reply, or one beside its data. */
  readonly rows: readonly { _id?: unknown }[]
  readonly index: number
  readonly kind: string
  readonly reason: string
}

/**
 * Returns a reply that its schema refuses, without the rows that break it, and reports them: an earlier version or a person
 * wrote them, and they must not take the rest of the list with them. Throws for every other reply.
 */
export function withoutBrokenRows(
  { id, method, response }: AnyOperation,
  reply: unknown,
  error: z.ZodError,
): unknown {
  const [area = id] = id.split('.')
  const broken = error.issues.map((issue) => brokenRow(reply, issue, area))
  const found = broken.filter((row) => row !== undefined)
  if (method !== 'GET' || found.length < broken.length) throw error
  const left = new Map<unknown, Set<unknown>>()
  for (const { rows, index, kind, reason } of found) {
    const row = rows[index]
    const known = left.get(rows) ?? new Set()
    if (!known.has(row)) reportLeftOut({ kind, id: String(row?._id), reason })
    left.set(rows, known.add(row))
  }
  return response.parse(without(reply, left))
}

/** The row that an issue is about; undefined for one about something else. */
function brokenRow(reply: unknown, { path, message }: z.core.$ZodIssue, area: string): BrokenRow | undefined {
  // `data[0]`, or `included.messages.data[0]`
  const isBeside = path[0] === 'included'
  const keys = path.slice(0, isBeside ? 3 : 1)
  const index = path[keys.length]
  const rows = keys.reduce<unknown>(
    (part, key) => (isObject(part) ? Reflect.get(part, key) : undefined),
    reply,
  )
  if (keys.at(-1) !== 'data' || !Array.isArray(rows) || typeof index !== 'number') return undefined
  const reason = `${path.slice(keys.length + 1).join('.')}: ${message}`
  return { rows, index, kind: isBeside ? String(path[1]) : area, reason }
}

/** Returns a copy of what holds the lists, whose rows lack some. */
function without(part: unknown, left: ReadonlyMap<unknown, ReadonlySet<unknown>>): unknown {
  const rows = left.get(part)
  if (Array.isArray(part)) return rows ? part.filter((row) => !rows.has(row)) : part
  if (!isObject(part)) return part
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, without(value, left)]))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
