import type { Store } from '../store/store.ts'
import { takeUser } from '../store/take-user.ts'

/** A person who has not touched any tab for so long is idle; 10 minutes later the service calls them away. */
const idleMs = 60_000
/** Every movement of a mouse is input, and one sign of it is enough. */
const signMs = 5_000

interface Following {
  readonly store: Store
  /** Name shared by the tabs of one session. */
  readonly name: string
  readonly signal: AbortSignal
}

/**
 * Reports to the service when the person begins and ends to work, on change only. All tabs of a browser are one session: the one that
 * holds the lock reports, and the others send it a sign of their input.
 */
export function followActivity({ store, name, signal }: Following): void {
  const tabs = new BroadcastChannel(`${name}:activity`)
  let lastSignMs = 0
  let take: () => void = () => undefined
  const onInput = () => {
    if (performance.now() - lastSignMs < signMs) return
    lastSignMs = performance.now()
    tabs.postMessage('input')
    take()
  }
  tabs.addEventListener('message', () => take())
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
    window.addEventListener(type, onInput, { capture: true, passive: true, signal })
  signal.addEventListener('abort', () => tabs.close())
  const lead = () => {
    const reporter = new Reporter(store)
    take = () => reporter.takeInput()
    return new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        reporter.stop()
        resolve()
      })
    })
  }
  navigator.locks.request(`${name}:activity`, { signal }, lead).catch(() => {
    // Aborted: the person has signed out.
  })
}

class Reporter {
  readonly #store: Store
  /** The last report; undefined: what the service knows is not known here. */
  #reported: 'active' | 'idle' | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(store: Store) {
    this.#store = store
    this.#await()
  }

  takeInput(): void {
    this.#await()
    this.#report('active')
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #await(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#report('idle'), idleMs)
  }

  #report(state: 'active' | 'idle'): void {
    if (this.#reported === state) return
    this.#reported = state
    this.#store.crm.users.setActivity({ state }).then(
      (me) => takeUser(this.#store, me),
      () => {
        // The next input reports again, or the next minute does.
        this.#reported = undefined
        if (state === 'idle') this.#await()
      },
    )
  }
}
