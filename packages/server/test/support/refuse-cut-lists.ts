import { afterAll } from 'vitest'
import { onCutList } from '../../src/storage/cut-lists.ts'

// A setup file: the service cuts a list that asks for too many rows, and a test fails instead.

let isRefused = true

afterAll(
  onCutList(({ kind, limit }) => {
    if (isRefused) throw new TypeError(`A list of ${kind} asks for ${limit} rows: read it page by page`)
  }),
)

/** Runs work as production does, where a list is cut. */
export async function withCutLists<T>(work: () => T | Promise<T>): Promise<T> {
  isRefused = false
  try {
    return await work()
  } finally {
    isRefused = true
  }
}
