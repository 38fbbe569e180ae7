import type { eventSequencing } from '../../src/main/compose/job-registry.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { JobQueue } from '../../src/ports/job-queue.ts'

/** Wake-ups by the clock of the walk: those of now begin at once, the others when the walk asks for what is due. */
export class DrivenQueue implements JobQueue {
  /** Called with each job that the service wakes, now or later. */
  onWake: (job: string) => void = () => {}
  readonly #clock: Clock
  readonly #running = new Map<string, Promise<void>>()
  readonly #again = new Set<string>()
  #planned: { job: string; atMs: number }[] = []
  #receive: ((job: string) => Promise<void>) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  wake(job: string, atMs?: number): void {
    if (atMs === undefined || atMs <= this.#clock.nowMs()) {
      this.onWake(job)
      this.#run(job)
    } else if (!this.#planned.some((one) => one.job === job && one.atMs === atMs)) {
      this.#planned.push({ job, atMs })
    }
  }

  /** Begins the wake-ups whose time has come. */
  wakePlanned(): void {
    const nowMs = this.#clock.nowMs()
    const due = this.#planned.filter(({ atMs }) => atMs <= nowMs)
    if (due.length === 0) return
    this.#planned = this.#planned.filter(({ atMs }) => atMs > nowMs)
    for (const { job } of due) this.wake(job)
  }

  #run(job: string): void {
    if (this.#receive === undefined) return
    if (this.#running.has(job)) {
      this.#again.add(job)
      return
    }
    this.#again.delete(job)
    const running = this.#receive(job).then(() => {
      this.#running.delete(job)
      if (this.#again.has(job)) this.#run(job)
    })
    this.#running.set(job, running)
  }

  async start(onWake: (job: string) => Promise<void>): Promise<void> {
    this.#receive = onWake
  }

  async stop(): Promise<void> {
    this.#receive = undefined
    await this.idle()
  }

  /** Resolves when no call runs. */
  async idle(): Promise<void> {
    while (!this.isIdle()) await Promise.all(this.#running.values())
  }

  isIdle(): boolean {
    return this.#running.size === 0
  }

  isHealthy(): boolean {
    return this.#receive !== undefined
  }
}

type Sequencing = (typeof eventSequencing)['make']

/** Gives events their positions when the walk asks for it; the service's own loop waits for further events by the clock of the machine. */
export class DrivenSequencer {
  /** A process before this one may have left events. */
  isWoken = true
  #parts: Parameters<Sequencing>[0] | undefined

  readonly make: Sequencing = (parts) => {
    this.#parts = parts
    return {
      start: () => {},
      wake: () => {
        this.isWoken = true
        return true
      },
      stop: async () => {},
    }
  }

  /** A database that gives positions with the commit makes no sequencer. */
  async sequence(): Promise<void> {
    do {
      this.isWoken = false
      if (this.#parts === undefined) return
      // Asked also when nothing has woken it: a commit can be read a moment before it wakes anybody.
      const { count, tenantIds } = await this.#parts.system.sequenceEvents(batchSize)
      if (tenantIds.length > 0) this.#parts.onSequenced(tenantIds)
      if (count === batchSize) this.isWoken = true
    } while (this.isWoken)
  }
}

const batchSize = 500
