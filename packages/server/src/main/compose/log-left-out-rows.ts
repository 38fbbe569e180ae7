import type { Log } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import { onLeftOut } from '../../storage/rules/readable-rows.ts'

/** The most rows that are logged by their id: a poll meets the same row each second. */
const loggedMax = 1_000

/** Counts the rows that reads leave out, and logs each once, until the returned function is called. */
export function logLeftOutRows(log: Log, meters: Pick<Meters, 'rowLeftOut'>): () => void {
  const logged = new Set<string>()
  return onLeftOut(({ kind, id, reason }) => {
    meters.rowLeftOut(kind)
    const key = `${kind} ${id}`
    if (logged.has(key) || logged.size === loggedMax) return
    logged.add(key)
    log.error(
      { kind, id, reason },
      'A stored row cannot be read and is left out: crm-server doctor --all lists all',
    )
  })
}
