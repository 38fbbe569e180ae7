import { readdirSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { Histogram, type Metric, Reading } from './metric.ts'

/** Short enough to notice every delay of a request that a caller can feel. */
const sampleMs = 20

/** How late timers fire, which is how long requests wait for the event loop. */
export class EventLoopDelay {
  readonly metric = new Histogram({
    name: 'crm_event_loop_delay_seconds',
    help: 'How late a timer of 20 ms fires.',
  })
  #timer: NodeJS.Timeout | undefined

  /** Begins to measure; does nothing when it has begun. */
  start(): void {
    if (this.#timer !== undefined) return
    let dueAt = performance.now() + sampleMs
    const durations = this.metric.of()
    this.#timer = setInterval(() => {
      const now = performance.now()
      durations.observe(Math.max(0, now - dueAt))
      dueAt = now + sampleMs
    }, sampleMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** Returns the number of open files, sockets included; undefined where the system does not say it. */
function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}

const startedAtSeconds = Math.round(performance.timeOrigin) / 1000

/** The figures of the process, under the names that exporters of other programs use. */
export const processMetrics: readonly Metric[] = [
  new Reading(
    { name: 'process_cpu_seconds_total', help: 'Processor time of this process.', type: 'counter' },
    () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  ),
  new Reading({ name: 'process_resident_memory_bytes', help: 'Resident memory of this process.' }, () =>
    process.memoryUsage.rss(),
  ),
  new Reading(
    { name: 'process_start_time_seconds', help: 'When this process started, in seconds since 1970.' },
    () => startedAtSeconds,
  ),
  new Reading({ name: 'process_open_fds', help: 'Open files and sockets of this process.' }, openFiles),
  new Reading(
    { name: 'nodejs_heap_size_used_bytes', help: 'Used memory of the JavaScript heap.' },
    () => process.memoryUsage().heapUsed,
  ),
  new Reading(
    {
      name: 'nodejs_external_memory_bytes',
      help: 'Memory that objects of JavaScript hold outside of the heap, buffers included.',
    },
    () => process.memoryUsage().external,
  ),
  new Reading(
    { name: 'nodejs_array_buffers_bytes', help: 'Memory that buffers of this process hold.' },
    () => process.memoryUsage().arrayBuffers,
  ),
  new Reading(
    {
      name: 'crm_event_loop_active_seconds_total',
      help: 'Time in which the event loop was busy.',
      type: 'counter',
    },
    () => performance.eventLoopUtilization().active / 1000,
  ),
]
