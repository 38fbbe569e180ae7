import type { Clock } from '../ports/clock.ts'
import type { AddressDigests, ErasureLedger, ErasureLine, ErasureRecords } from '../ports/erasure-ledger.ts'
import type { SystemStore } from '../ports/system-store.ts'
import { isoTime } from '../shared/clock.ts'
import { passFaultPoint } from '../shared/fault-points.ts'
import type { TaskRecord } from '../storage/kinds/tasks.ts'
import { findPosition, savePosition } from './ledger-position.ts'

/** Tasks of a tenant whose lines are written at once. */
const linesMax = 500

const lineTypes: Partial<Record<TaskRecord['type'], ErasureLine['kind']>> = {
  eraseCustomer: 'customers',
  eraseAddress: 'customers',
  erasePhone: 'customers',
  eraseConversation: 'conversations',
  eraseUser: 'users',
  releaseUser: 'users',
  deleteTenant: 'tenants',
}

interface RecordParts {
  system: Pick<SystemStore, 'readRows' | 'findSetting' | 'commit'>
  clock: Clock
  /** Undefined: the operator of a MongoDB has named none. */
  ledger: ErasureLedger | undefined
  digests: AddressDigests
}

export function createErasureRecords({ system, clock, ledger, digests }: RecordParts): ErasureRecords {
  const written = new Set<string>()
  const isDue = ({ _id, type }: TaskRecord) => lineTypes[type] !== undefined && !written.has(_id)
  return {
    async record({ tenantId, task }) {
      if (ledger === undefined || !isDue(task)) return
      const later = { kind: 'tasks', tenantId, after: task._id, limit: linesMax } as const
      const tasks = [task, ...(await system.readRows(later)).rows.filter(isDue)]
      const position = await ledger.append(linesOf(tasks, digests))
      passFaultPoint('after-ledger-line')
      const known = await findPosition(system)
      // Another process may have appended since, and has stored its position. A ledger that was lost begins anew.
      const isKnown = known && known.bytes > position.bytes && (await ledger.read(known))?.isContinued
      if (!isKnown) await savePosition(system, position, isoTime(clock.nowMs()))
      for (const { _id } of tasks) written.add(_id)
    },
    forget: ({ _id }) => void written.delete(_id),
  }
}

/** One line for each subject: the addresses and phone numbers of a customer have tasks of their own. */
function linesOf(tasks: readonly TaskRecord[], digests: AddressDigests): ErasureLine[] {
  const ofSubject = Map.groupBy(tasks, ({ type, subjectId, requestedAt }) =>
    JSON.stringify([lineTypes[type], subjectId, requestedAt]),
  )
  return [...ofSubject.values()].flatMap((group): ErasureLine[] => {
    const [{ tenantId, type, subjectId: id, requestedAt: at }] = group as [TaskRecord]
    const kind = lineTypes[type]
    if (kind === undefined) return []
    const addresses = group.flatMap((task) =>
      ['eraseAddress', 'erasePhone'].includes(task.type) && task.targetId !== null
        ? [digests.digestOf({ tenantId, address: task.targetId })]
        : [],
    )
    const isRemoval = group.every((task) => task.type === 'releaseUser')
    return [{ at, tenantId, kind, id, addresses, ...(isRemoval && { isRemoval }) }]
  })
}
