/**
 * The most rows that one page of a list may have. A page is in memory as a whole, and on SQLite it holds the event loop, so a
 * handler that needs more rows reads page by page.
 */
export const pageRowsMax = 1_000

/** A list that was asked for more rows than a page may have. */
export interface CutList {
  readonly kind: string
  readonly limit: number
}

const listeners = new Set<(cut: CutList) => void>()

/** Calls the listener for each list of this process that is cut, before it is read, until the returned function is called. */
export function onCutList(listener: (cut: CutList) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns the paging with as many rows as a page may have. */
export function cutPaging<P extends { readonly limit: number }>(kind: string, paging: P): P {
  const { limit } = paging
  if (limit <= pageRowsMax) return paging
  for (const listener of listeners) listener({ kind, limit })
  return { ...paging, limit: pageRowsMax }
}
