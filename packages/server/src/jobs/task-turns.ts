import { QueueTurns } from '../fairness/queue-turns.ts'
import type { Storage } from '../ports/storage.ts'
import { type TaskRecord, upgradeTaskPrefix } from '../storage/kinds/tasks.ts'
import type { Stored, TenantId } from '../storage/records.ts'

const pageSize = 100

export interface FoundTask {
  tenantId: TenantId
  task: Stored<TaskRecord>
}

/** The place of one tenant in a round. */
interface Place {
  /** Tasks up to this id were met; later ones have later ids. */
  after: string
  /** Read and not met yet. */
  page: Stored<TaskRecord>[]
  /** Ids of tasks with another page, in rotation. */
  again: string[]
  /** How many of `again` get a page before more tasks are read. */
  turnsLeft: number
}

/**
 * One round over the tasks: tenants alternate, and so do the tasks of each, so a long task or ten thousand of them hold up no other
 * tenant. The steps of upgrades come behind all other tasks. It takes in tasks that are added meanwhile.
 */
export class TaskTurns {
  readonly #storage: Pick<Storage, 'system' | 'forTenant'>
  readonly #mayBegin: (task: TaskRecord) => boolean
  readonly #turns: QueueTurns<TenantId>
  readonly #places = new Map<TenantId, Place>()
  #upgrades: FoundTask[] = []
  readonly #idleUpgrades = new Set<string>()

  constructor(
    storage: Pick<Storage, 'system' | 'forTenant'>,
    /** Whether a task that the round meets for the first time gets a page. */
    mayBegin: (task: TaskRecord) => boolean,
  ) {
    this.#storage = storage
    this.#mayBegin = mayBegin
    this.#turns = new QueueTurns(async (behind) => {
      // Each tenant is one queue, so the place is an id with one character behind it.
      const tenantId = await storage.system.findTenantWithTask(behind.slice(0, -1))
      return tenantId === undefined ? undefined : { tenantId, key: `${tenantId} `, dueAt: '' }
    })
  }

  async next(): Promise<FoundTask | undefined> {
    const found = await this.#turns.next({
      now: '',
      mayTake: () => true,
      take: ({ tenantId }) => this.#nextOf(tenantId),
    })
    return found ?? this.#nextUpgrade()
  }

  /** The task has had a page. */
  end({ tenantId, task }: FoundTask, hasMore: boolean): void {
    if (!isUpgrade(task)) {
      if (hasMore) this.#places.get(tenantId)?.again.push(task._id)
    } else if (!hasMore) {
      this.#idleUpgrades.add(`${tenantId} ${task._id}`)
    }
  }

  async #nextOf(tenantId: TenantId): Promise<FoundTask | undefined> {
    const place = this.#places.get(tenantId) ?? { after: '', page: [], again: [], turnsLeft: 0 }
    this.#places.set(tenantId, place)
    for (;;) {
      const task = place.turnsLeft > 0 ? await this.#nextAgain(tenantId, place) : place.page.shift()
      if (task !== undefined) return { tenantId, task }
      if (place.turnsLeft > 0) continue
      const isRead = await this.#readMore(tenantId, place)
      place.turnsLeft = place.again.length
      if (!isRead && place.turnsLeft === 0) return undefined
    }
  }

  async #nextAgain(tenantId: TenantId, place: Place): Promise<Stored<TaskRecord> | undefined> {
    place.turnsLeft--
    const id = place.again.shift()
    // Some tasks hold their progress in their row.
    return id === undefined ? undefined : this.#storage.forTenant(tenantId).tasks.find(id)
  }

  async #readMore(tenantId: TenantId, place: Place): Promise<boolean> {
    if (place.again.length >= pageSize) return false
    const { after } = place
    const { rows, last } = await this.#storage.system.readRows({
      kind: 'tasks',
      tenantId,
      after,
      limit: pageSize,
    })
    const tasks = rows.filter((task) => !isUpgrade(task))
    // A later task gets an id before those of upgrades.
    place.after = last !== undefined && last < upgradeTaskPrefix ? last : (tasks.at(-1)?._id ?? after)
    place.page = tasks.filter(this.#mayBegin)
    return place.after !== after
  }

  async #nextUpgrade(): Promise<FoundTask | undefined> {
    const isOpen = ({ tenantId, task }: FoundTask) => !this.#idleUpgrades.has(`${tenantId} ${task._id}`)
    if (this.#upgrades.length === 0)
      this.#upgrades = (await this.#storage.system.listTasks(pageSize, upgradeTaskPrefix)).filter(isOpen)
    return this.#upgrades.shift()
  }
}

function isUpgrade({ _id }: TaskRecord): boolean {
  return _id.startsWith(upgradeTaskPrefix)
}
