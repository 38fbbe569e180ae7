import type { TenantSetup } from '@crmkit/sdk'
import { effect, type Signal, signal } from '@preact/signals'
import { readSetup } from '../api/getting-in.ts'
import type { Store } from './store.ts'

/** The inbox itself is shown first: the list is read so long after it was opened. */
const openingMs = 3_000
/** Several events come together, such as those of a message. */
const togetherMs = 300

interface Setup {
  /** Undefined until it was read. */
  readonly list: Signal<TenantSetup | undefined>
  read(): Promise<void>
}

const setups = new WeakMap<Store, Setup>()

/** Whether something is left to do, and nobody has hidden the list. */
export function isOpen(list: TenantSetup | undefined): boolean {
  return list !== undefined && list.dismissedAt === null && list.steps.some(({ done }) => !done)
}

/** The check-list of the team, read again after every event that may have done a step. For admins alone. */
export function setupOf(store: Store): Setup {
  const known = setups.get(store)
  if (known) return known
  const list = signal<TenantSetup | undefined>(undefined)
  let asked = 0
  const read = async () => {
    asked += 1
    const ask = asked
    const found = await readSetup(store.crm)
    if (ask === asked) list.value = found
  }
  const setup = { list, read }
  setups.set(store, setup)
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const { event } = store.heard.value
    const before = list.peek()
    // A list that is done can only be opened again by a door.
    if (before && !isOpen(before) && !/\.(?:failing|recovered)$/.test(event ?? '')) return
    clearTimeout(timer)
    const wait = event === undefined && before === undefined ? openingMs : togetherMs
    timer = setTimeout(() => void read().catch(() => undefined), wait)
  })
  return setup
}
