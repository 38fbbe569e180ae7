import type { DomainEvent } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import type { Stored } from '../../storage/records.ts'

/** A row that stays, and why; without a message it was changed since. */
interface KeptRow {
  module: string
  externalId: string | null
  customerId: string | null
  message?: string
}

/** The work of one commit of an undo. */
export interface Decided {
  writes: Write[]
  events?: DomainEvent[]
  removed: number
  restored: number
  kept: readonly KeptRow[]
}

export const nothing: Decided = { writes: [], removed: 0, restored: 0, kept: [] }

/** A row that stays: its link stays too, and is no longer one of the run's own. */
export function keptLink({
  _id: id,
  version,
  module,
  externalId,
  customerId,
  entityKind,
}: Stored<ImportLinkRecord>): Decided {
  const set = { madeBy: null }
  const keep: Write = { op: 'update', kind: 'importLinks', id, expectVersion: version, set }
  const kept = entityKind === 'inboxes' ? [] : [{ module, externalId, customerId }]
  return { ...nothing, writes: [keep], kept }
}

export function joined(all: readonly Decided[]): Decided {
  return {
    writes: all.flatMap(({ writes }) => writes),
    removed: all.reduce((sum, { removed }) => sum + removed, 0),
    restored: all.reduce((sum, { restored }) => sum + restored, 0),
    kept: all.flatMap(({ kept }) => kept),
  }
}
