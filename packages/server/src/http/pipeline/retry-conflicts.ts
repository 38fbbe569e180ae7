import { UniqueConflict, UnreadRow, VersionConflict } from '../../storage/errors.ts'
import type { Kind } from '../../storage/kinds/registry.ts'

/** After each version conflict another change has succeeded, so many in a row are rare, and a retry is worth its cost. */
const versionRunsMax = 20
/** A unique value may be taken permanently. */
const uniqueRunsMax = 5

export interface QueueNames {
  /** Serializes retries of changes of one resource. */
  resource: string
  /** Serializes retries after conflicts with a change of another resource, or over a rule of the whole tenant. */
  tenant: string
}

/** Another commit came first; the work may decide otherwise on the fresh rows. */
function isConflict(error: unknown): boolean {
  return error instanceof VersionConflict || error instanceof UniqueConflict
}

/** Changes of many resources write their rows: of the tenant itself, and of an uploaded file, where each erasure notes addresses. */
const kindsOfTenant: readonly Kind[] = ['tenants', 'importFiles']

function isTenantConflict(error: unknown): boolean {
  return error instanceof VersionConflict && kindsOfTenant.includes(error.kind)
}

/**
 * Repeats work that ended in a conflict. The retry waits in the queue of its resource, and later work joins the same
 * queue, so that many changes of one resource run one after the other: all at the same time, only one of them would
 * succeed in each round, and most would give up. After a conflict over the tenant, or a second conflict, the retry
 * also waits in the queue of its tenant: changes of ten inboxes conflict with each other as often. Meanwhile it holds
 * its position in the resource queue; otherwise later work would overtake it.
 */
export class ConflictRetries {
  /** The last work in each queue. */
  readonly #queues = new Map<string, Promise<void>>()

  /** Throws `UnreadRow` where no repetition can succeed; any other error of the work as it is, after the last run. */
  async run<T>(queues: QueueNames, work: () => Promise<T>): Promise<T> {
    const conflicts = new Conflicts()
    try {
      return await this.#runInTurn(queues, () => conflicts.noteOf(work))
    } catch (error) {
      throw conflicts.unreadRow() ?? error
    }
  }

  #runInTurn<T>(queues: QueueNames, work: () => Promise<T>): Promise<T> {
    const { resource } = queues
    const retry = (conflict: unknown) => this.#retry(queues, { work, conflict })
    if (this.#queues.has(resource)) return this.#inQueue(resource, () => unlessConflict(work, retry))
    return unlessConflict(work, (conflict) => this.#inQueue(resource, () => retry(conflict)))
  }

  /** The first work in a tenant queue waits for no other queue, so there is no deadlock. */
  #retry<T>(
    { tenant }: QueueNames,
    { work, conflict }: { work: () => Promise<T>; conflict: unknown },
  ): Promise<T> {
    const runInTenantQueue = () => this.#inQueue(tenant, () => runUntilDone(work))
    return isTenantConflict(conflict) ? runInTenantQueue() : unlessConflict(work, runInTenantQueue)
  }

  async #inQueue<T>(queue: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(queue)
    const { promise: mine, resolve: leave } = Promise.withResolvers<void>()
    this.#queues.set(queue, mine)
    await before
    try {
      return await work()
    } finally {
      leave()
      if (this.#queues.get(queue) === mine) this.#queues.delete(queue)
    }
  }
}

/** The last two runs of a work, as far as they ended in a conflict over one row. */
class Conflicts {
  #last: VersionConflict | undefined
  #before: VersionConflict | undefined

  async noteOf<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#before = this.#last
      this.#last = error instanceof VersionConflict ? error : undefined
      throw error
    }
  }

  /**
   * Asked after the last run only: on a replica set a read may be some milliseconds behind the commit at which the run
   * before it ended.
   */
  unreadRow(): UnreadRow | undefined {
    const { kind, row } = this.#last ?? {}
    const before = this.#before
    if (kind === undefined || row === undefined || before?.row === undefined) return undefined
    const isSame = before.kind === kind && before.row.id === row.id && before.row.version === row.version
    return isSame ? new UnreadRow(kind, row) : undefined
  }
}

async function unlessConflict<T>(
  work: () => Promise<T>,
  retry: (conflict: unknown) => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isConflict(error)) throw error
    return retry(error)
  }
}

async function runUntilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await work()
    } catch (error) {
      const runsMax = error instanceof UniqueConflict ? uniqueRunsMax : versionRunsMax
      if (!isConflict(error) || run >= runsMax) throw error
    }
  }
}
