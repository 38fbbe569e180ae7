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
    const { tenantId } = first
    const start = this.#lastOf.get(tenantId)
    let head: QueueHead<Tenant> | undefined = start === undefined ? first : await this.#find(start)
    let isAround = start === undefined
    for (;;) {
      if (head?.tenantId !== tenantId) {
        if (isAround) return undefined
        isAround = true
        head = first
      }
      const taken = head.dueAt <= now ? await take(head) : undefined
      if (taken !== undefined) {
        if (this.#lastOf.size >= rememberedMax) this.#lastOf.clear()
        this.#lastOf.set(tenantId, head.key)
        return taken
      }
      if (start !== undefined && isAround && head.key >= start) return undefined
      head = await this.#find(head.key)
    }
  }
}

/** Behind all queues of a tenant, and before those of every other one behind it. */
function endOf(tenantId: string): string {
  return tenantId === '' ? '' : `${tenantId}!`
}
