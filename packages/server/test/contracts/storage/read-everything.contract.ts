import { expect } from 'vitest'
import type { PageOf } from '../../../src/storage/pages.ts'

interface Paging {
  page: number
  limit: number
  cursor?: string | undefined
}
export type List = (paging: Paging) => Promise<Omit<PageOf<object>, 'rows'> & { rows: { _id: string }[] }>

/** Reads a whole list at once, by pages and by cursors, and expects all three to agree. Returns its ids. */
export async function readEverything(list: List, limit: number): Promise<string[]> {
  const whole = await list({ page: 1, limit: 100 })
  expect(whole.nextCursor).toBeNull()
  const byPage: string[] = []
  for (let page = 1; page <= Math.ceil(whole.total / limit); page++) {
    const { rows, total, totalIsEstimate } = await list({ page, limit })
    expect({ total, totalIsEstimate }).toEqual({ total: whole.total, totalIsEstimate: false })
    byPage.push(...rows.map(({ _id }) => _id))
  }
  const byCursor: string[] = []
  let cursor: string | null | undefined
  do {
    const { rows, nextCursor, total } = await list({
      page: 7,
      limit,
      cursor: cursor ?? undefined,
      ...(cursor ? {} : { page: 1 }),
    })
    expect(total).toBe(whole.total)
    byCursor.push(...rows.map(({ _id }) => _id))
    cursor = nextCursor
  } while (cursor)
  const ids = whole.rows.map(({ _id }) => _id)
  expect(byPage).toEqual(ids)
  expect(byCursor).toEqual(ids)
  return ids
}
