import type { Change } from '../../../ports/change.ts'
import { StorageUnavailable } from '../../../storage/errors.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import { isUnavailable } from '../connection/mongo-errors.ts'

/** A larger change has a transaction of its own: others would wait for it, and fail with it. */
const rowsPerChangeMax = 20
const changesPerGroupMax = 32
/** How long a change waits for the group before it. */
const waitMaxMs = 10_000

interface Waiting {
  change: Change<Kind>
  giveUpAt: number
  resolve(deliveries: number): void
  reject(error: unknown): void
}

/** The caller sets `markWritten` to true before the commit, and to false when the transaction starts again. */
type CommitTogether = (
  tenantId: string,
  changes: readonly Change<Kind>[],
  markWritten: (isWritten: boolean) => void,
) => Promise<number[]>

export interface GroupCommit {
  /** Applies the changes in one transaction; returns how many deliveries each causes. */
  together: CommitTogether
  alone(tenantId: string, change: Change<Kind>): Promise<number>
}

/** Returns whether a change only adds rows, so that it conflicts with no other change but over unique values. */
export function isAddition({ writes, events, attempts, expectTenantVersion }: Change<Kind>): boolean {
  const size = writes.length + events.length
  const isPlain = expectTenantVersion === undefined && (attempts?.length ?? 0) === 0
  return isPlain && size <= rowsPerChangeMax && writes.every(({ op }) => op === 'insert')
}

/**
 * Commits changes that only add rows. While a commit of the tenant is under way, its next changes wait for each other
 * and then share one transaction: a transaction costs several times what its rows do. A change that no other one
 * precedes starts immediately. When a change of a group is refused, each one is committed by itself, so that only the
 * refused one fails.
 */
export function createGroupCommit({ together, alone }: GroupCommit) {
  /** The waiting changes of the tenants that have a commit under way. */
  const queues = new Map<string, Waiting[]>()

  async function commitGroup(tenantId: string, group: readonly Waiting[]): Promise<void> {
    let isWritten = false
    try {
      const changes = group.map(({ change }) => change)
      const deliveries = await together(tenantId, changes, (written) => {
        isWritten = written
      })
      group.forEach(({ resolve }, index) => void resolve(deliveries[index] ?? 0))
    } catch (error) {
      // Once its commit was sent, a change may be stored, and must not be written again.
      const isFinal = isWritten || isUnavailable(error) || error instanceof StorageUnavailable
      if (isFinal || group.length === 1) {
        for (const { reject } of group) reject(error)
        return
      }
      await Promise.all(
        group.map(({ change, resolve, reject }) => alone(tenantId, change).then(resolve, reject)),
      )
    }
  }

  async function commitAll(tenantId: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, changesPerGroupMax)
      const isLate = ({ giveUpAt }: Waiting) => Date.now() > giveUpAt
      for (const { reject } of group.filter(isLate)) {
        reject(new StorageUnavailable('commits of the same tenant took too long'))
      }
      const inTime = group.filter((one) => !isLate(one))
      if (inTime.length > 0) await commitGroup(tenantId, inTime)
    }
    queues.delete(tenantId)
  }

  return (tenantId: string, change: Change<Kind>): Promise<number> =>
    new Promise((resolve, reject) => {
      const waiting = { change, giveUpAt: Date.now() + waitMaxMs, resolve, reject }
      const queue = queues.get(tenantId)
      if (queue) {
        queue.push(waiting)
        return
      }
      const started = [waiting]
      queues.set(tenantId, started)
      void commitAll(tenantId, started)
    })
}
