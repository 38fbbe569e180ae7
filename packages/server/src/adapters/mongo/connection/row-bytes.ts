import type { StoredRow } from './access.ts'

/** The size of a document without its long texts. */
const rowBytes = 500

/** Returns about how many bytes a row takes in memory. */
export function bytesOf({ row }: StoredRow): number {
  const texts = Object.values(row ?? {}).map((value) =>
    typeof value === 'object' && value !== null ? value.json : value,
  )
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), rowBytes)
}
