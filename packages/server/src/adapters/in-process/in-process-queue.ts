import { type JobKind, type JobQueue, jobKinds } from '../../ports/job-queue.ts'

// The longest wait that a Node timer can hold; a later wake-up comes early, which the port allows.
const timerMaxMs = 2 ** 31 - 1

interface Queue {
  timer: NodeJS.Timeout | undefined
  timerAtMs: number
  running: Promise<void> | undefined
  /** Asked for during the run: one more run follows, however often it was asked for. */
  isAskedAgain: boolean
}

/** Wake-ups within this process: nothing to install, and nothing that outlives a restart. */
export function createInProcessQueue(): JobQueue {
  const deliveryQueues = new Map<JobKind, Queue>(jobKinds.map((kind) => [kind, newDeliveryQueue()]))
  let receive: ((kind: JobKind) => Promise<void>) | undefined

  const run = (kind: JobKind, deliveryQueue: Queue) => {
    if (receive === undefined) return
    if (deliveryQueue.running !== undefined) {
      deliveryQueue.isAskedAgain = true
      return
    }
    deliveryQueue.isAskedAgain = false
    deliveryQueue.running = callOnce(receive, kind).then(() => {
      deliveryQueue.running = undefined
      if (deliveryQueue.isAskedAgain) run(kind, deliveryQueue)
    })
  }

  return {
    wake: (kind, atMs) => {
      const deliveryQueue = deliveryQueues.get(kind)
      if (receive === undefined || deliveryQueue === undefined) return
      const waitMs = atMs === undefined ? 0 : atMs - Date.now()
      if (waitMs <= 0) run(kind, deliveryQueue)
      else startTimer(deliveryQueue, { atMs: atMs ?? 0, waitMs, onTime: () => run(kind, deliveryQueue) })
    },
    start: async (onWake) => {
      receive = onWake
    },
    stop: async () => {
      receive = undefined
      for (const deliveryQueue of deliveryQueues.values()) clearTimer(deliveryQueue)
      await Promise.all([...deliveryQueues.values()].map((deliveryQueue) => deliveryQueue.running))
    },
    isHealthy: () => receive !== undefined,
  }
}

function newDeliveryQueue(): Queue {
  return { timer: undefined, timerAtMs: Number.POSITIVE_INFINITY, running: undefined, isAskedAgain: false }
}

/** The receiver starts on a later turn, so that a wake-up costs its caller nothing; what it throws is its own affair. */
async function callOnce(receive: (kind: JobKind) => Promise<void>, kind: JobKind): Promise<void> {
  await new Promise(setImmediate)
  await receive(kind).catch(() => undefined)
}

/** One timer a kind: the earliest wins, because whoever is woken looks for what comes next. */
function startTimer(
  deliveryQueue: Queue,
  { atMs, waitMs, onTime }: { atMs: number; waitMs: number; onTime: () => void },
): void {
  if (deliveryQueue.timerAtMs <= atMs) return
  clearTimer(deliveryQueue)
  deliveryQueue.timerAtMs = atMs
  deliveryQueue.timer = setTimeout(
    () => {
      clearTimer(deliveryQueue)
      onTime()
    },
    Math.min(Math.ceil(waitMs), timerMaxMs),
  ).unref()
}

function clearTimer(deliveryQueue: Queue): void {
  clearTimeout(deliveryQueue.timer)
  deliveryQueue.timer = undefined
  deliveryQueue.timerAtMs = Number.POSITIVE_INFINITY
}
