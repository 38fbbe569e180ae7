import { type JobKind, type JobQueue, jobKinds } from '../../ports/job-queue.ts'

// The longest wait that a Node timer can hold; a later wake-up comes early, which the port allows.
const timerMaxMs = 2 ** 31 - 1

interface Lane {
  timer: NodeJS.Timeout | undefined
  timerAtMs: number
  running: Promise<void> | undefined
  /** Asked for during the run: one more run follows, however often it was asked for. */
  isAskedAgain: boolean
}

/** Wake-ups within this process: nothing to install, and nothing that outlives a restart. */
export function createInProcessQueue(): JobQueue {
  const lanes = new Map<JobKind, Lane>(jobKinds.map((kind) => [kind, newLane()]))
  let receive: ((kind: JobKind) => Promise<void>) | undefined

  const run = (kind: JobKind, lane: Lane) => {
    if (receive === undefined) return
    if (lane.running !== undefined) {
      lane.isAskedAgain = true
      return
    }
    lane.isAskedAgain = false
    lane.running = callOnce(receive, kind).then(() => {
      lane.running = undefined
      if (lane.isAskedAgain) run(kind, lane)
    })
  }

  return {
    wake: (kind, atMs) => {
      const lane = lanes.get(kind)
      if (receive === undefined || lane === undefined) return
      const waitMs = atMs === undefined ? 0 : atMs - Date.now()
      if (waitMs <= 0) run(kind, lane)
      else startTimer(lane, { atMs: atMs ?? 0, waitMs, onTime: () => run(kind, lane) })
    },
    start: async (onWake) => {
      receive = onWake
    },
    stop: async () => {
      receive = undefined
      for (const lane of lanes.values()) clearTimer(lane)
      await Promise.all([...lanes.values()].map((lane) => lane.running))
    },
    isHealthy: () => receive !== undefined,
  }
}

function newLane(): Lane {
  return { timer: undefined, timerAtMs: Number.POSITIVE_INFINITY, running: undefined, isAskedAgain: false }
}

/** The receiver starts on a later turn, so that a wake-up costs its caller nothing; what it throws is its own affair. */
async function callOnce(receive: (kind: JobKind) => Promise<void>, kind: JobKind): Promise<void> {
  await new Promise(setImmediate)
  await receive(kind).catch(() => undefined)
}

/** One timer a kind: the earliest wins, because whoever is woken looks for what comes next. */
function startTimer(
  lane: Lane,
  { atMs, waitMs, onTime }: { atMs: number; waitMs: number; onTime: () => void },
): void {
  if (lane.timerAtMs <= atMs) return
  clearTimer(lane)
  lane.timerAtMs = atMs
  lane.timer = setTimeout(
    () => {
      clearTimer(lane)
      onTime()
    },
    Math.min(Math.ceil(waitMs), timerMaxMs),
  ).unref()
}

function clearTimer(lane: Lane): void {
  clearTimeout(lane.timer)
  lane.timer = undefined
  lane.timerAtMs = Number.POSITIVE_INFINITY
}
