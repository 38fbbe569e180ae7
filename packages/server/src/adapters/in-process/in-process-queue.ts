import type { JobQueue } from '../../ports/job-queue.ts'

// The longest wait that a Node timer can hold; a later wake-up comes early, which the port allows.
const timerMaxMs = 2 ** 31 - 1

interface JobState {
  timer: NodeJS.Timeout | undefined
  timerAtMs: number
  running: Promise<void> | undefined
  /** A wake-up came during the run: one more run follows, however many wake-ups came. */
  isAskedAgain: boolean
}

interface PlannedRun {
  atMs: number
  waitMs: number
  run: () => void
}

/** Wake-ups within this process: there is nothing to install, and nothing survives a restart. */
export function createInProcessQueue(): JobQueue {
  const states = new Map<string, JobState>()
  let receive: ((job: string) => Promise<void>) | undefined

  function stateOf(job: string): JobState {
    const state = states.get(job) ?? newState()
    states.set(job, state)
    return state
  }

  const run = (job: string, state: JobState) => {
    if (receive === undefined) return
    if (state.running !== undefined) {
      state.isAskedAgain = true
      return
    }
    state.isAskedAgain = false
    state.running = callOnce(receive, job).then(() => {
      state.running = undefined
      if (state.isAskedAgain) run(job, state)
    })
  }

  return {
    wake: (job, atMs) => {
      if (receive === undefined) return
      const state = stateOf(job)
      const waitMs = atMs === undefined ? 0 : atMs - Date.now()
      if (waitMs <= 0) run(job, state)
      else startTimer(state, { atMs: atMs ?? 0, waitMs, run: () => run(job, state) })
    },
    start: async (onWake) => {
      receive = onWake
    },
    stop: async () => {
      receive = undefined
      for (const state of states.values()) clearTimer(state)
      await Promise.all([...states.values()].map(({ running }) => running))
    },
    isHealthy: () => receive !== undefined,
  }
}

function newState(): JobState {
  return { timer: undefined, timerAtMs: Number.POSITIVE_INFINITY, running: undefined, isAskedAgain: false }
}

/** Calls the receiver on a later tick of the event loop, so that a wake-up costs its caller nothing. Never rejects. */
async function callOnce(receive: (job: string) => Promise<void>, job: string): Promise<void> {
  await new Promise(setImmediate)
  await receive(job).catch(() => undefined)
}

/** Plans the earliest run alone: one timer for each job, because every run finds out when the next one is due. */
function startTimer(state: JobState, { atMs, waitMs, run }: PlannedRun): void {
  if (state.timerAtMs <= atMs) return
  clearTimer(state)
  state.timerAtMs = atMs
  state.timer = setTimeout(
    () => {
      clearTimer(state)
      run()
    },
    Math.min(Math.ceil(waitMs), timerMaxMs),
  ).unref()
}

function clearTimer(state: JobState): void {
  clearTimeout(state.timer)
  state.timer = undefined
  state.timerAtMs = Number.POSITIVE_INFINITY
}
