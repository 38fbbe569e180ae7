import type { Log } from '../../ports/log.ts'
import { onCutList, pageRowsMax } from '../../storage/cut-lists.ts'

/** Logs each kind once whose lists are cut, until the returned function is called. */
export function logCutLists(log: Log): () => void {
  const logged = new Set<string>()
  return onCutList(({ kind, limit }) => {
    if (logged.has(kind)) return
    logged.add(kind)
    log.error(
      { kind, limit, rows: pageRowsMax },
      'A list asked for more rows than a page may have and was cut',
    )
  })
}
