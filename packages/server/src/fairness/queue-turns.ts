/** The work that waits longest in a queue of a tenant. */
export interface QueueHead<Tenant extends string> {
  readonly tenantId: Tenant
  /** The tenant, a blank and the queue: the queues of a tenant are next to each other. */
  readonly key: string
  readonly dueAt: string
}

type FindHead<Tenant extends string> = (behind: string) => Promise<QueueHead<Tenant> | undefined>

/** Tenants whose last queue is remembered. A tenant that is forgotten begins with its first one. */
const rememberedMax = 10_000

/**
 * Gives turns to the tenants with work that waits, and in each tenant to its queues. It walks over an index of the queues, so
 * each turn costs a few look-ups and no memory, however much waits.
 */
export class QueueTurns<Tenant extends string> {
  readonly #find: FindHead<Tenant>
  #last = ''
  readonly #lastOf = new Map<string, string>()

  constructor(find: FindHead<Tenant>) {
    this.#find = find
  }

  /** Returns the first result of `take` in the order of the turns. It gets the queues with due work of tenants that may take some. */
  async next<Taken>({
    now,
    mayTake,
    take,
  }: {
    now: string
    mayTake(tenantId: Tenant): boolean
    take(head: QueueHead<Tenant>): Promise<Taken | undefined>
  }): Promise<Taken | undefined> {
    const start = endOf(this.#last)
    let isAround = false
    for (let behind = start; ; ) {
      const head = await this.#find(behind)
      if (head === undefined || (isAround && head.key > start)) {
        if (isAround || this.#last === '') return undefined
        isAround = true
        behind = ''
        continue
      }
      const { tenantId } = head
      const taken = mayTake(tenantId) ? await this.#nextOf(head, { now, take }) : undefined
      if (taken !== undefined) {
        this.#last = tenantId
        return taken
      }
      behind = endOf(tenantId)
    }
  }

  async #nextOf<Taken>(
    first: QueueHead<Tenant>,
    { now, take }: { now: string; take(head: QueueHead<Tenant>): Promise<Taken | undefined> },
  ): Promise<Taken | undefined> {
    for await (const head of this.#queuesOf(first)) {
      const taken = head.dueAt <= now ? await take(head) : undefined
      if (taken === undefined) continue
      if (this.#lastOf.size >= rememberedMax) this.#lastOf.clear()
      this.#lastOf.set(head.tenantId, head.key)
      return taken
    }
    return undefined
  }

  /** The queues of a tenant, from the one behind the last one on. */
  async *#queuesOf(first: QueueHead<Tenant>): AsyncGenerator<QueueHead<Tenant>> {
    const { tenantId } = first
    const last = this.#lastOf.get(tenantId)
    let head = last === undefined ? undefined : await this.#find(last)
    for (; head?.tenantId === tenantId; head = await this.#find(head.key)) yield head
    head = first
    for (; head?.tenantId === tenantId; head = await this.#find(head.key)) {
      if (last !== undefined && head.key > last) return
      yield head
    }
  }
}

/** Behind all queues of a tenant, and before those of every other one behind it. */
function endOf(tenantId: string): string {
  return tenantId === '' ? '' : `${tenantId}!`
}
