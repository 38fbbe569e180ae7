import { type Signal, signal } from '@preact/signals'
import { serviceAddress } from '../api/addresses.ts'
import { createClient } from '../api/client.ts'
import { followEvents } from '../api/live-events.ts'
import { type Problem, problemOf } from '../api/problem.ts'
import { BrowserSession } from '../api/session.ts'
import { createStore, type Store } from '../store/store.ts'
import { withSaved } from '../store/views.ts'
import { t } from '../strings/strings.ts'
import { route } from '../ui/navigation.ts'
import { placeOf } from './addresses.ts'

/** Where this tab stands. */
export type Stage =
  | { readonly name: 'starting' }
  | { readonly name: 'failed'; readonly problem: Problem }
  | { readonly name: 'signedOut' }
  /** `hasEnded`: the sign-in stands above the screens, which stay as they are. */
  | { readonly name: 'signedIn'; readonly store: Store; readonly hasEnded: boolean }

type SignedIn = Parameters<typeof createStore>[1]

export const stage: Signal<Stage> = signal({ name: 'starting' })
export const isReachable: Signal<boolean> = signal(true)

let stream = new AbortController()

export const session: BrowserSession = new BrowserSession(serviceAddress, {
  ended(reason) {
    stream.abort()
    const before = stage.peek()
    if (before.name === 'signedIn' && reason === 'signedOut') {
      before.store.drafts.clear()
      before.store.threads.clear()
    }
    stage.value =
      before.name === 'signedIn' && reason === 'expired'
        ? { ...before, hasEnded: true }
        : { name: 'signedOut' }
  },
  replaced: () => window.location.reload(),
})

/** Takes up the session of this browser. */
export async function start(): Promise<void> {
  stage.value = { name: 'starting' }
  try {
    const resumed = await session.resume()
    if (resumed === undefined) stage.value = { name: 'signedOut' }
    else await enter(resumed)
  } catch (error) {
    stage.value = { name: 'failed', problem: problemOf(error) }
  }
}

/** Shows the screens of a person who has signed in. The same person goes on where their session ended. */
export async function enter(signedIn: SignedIn): Promise<void> {
  const before = stage.peek()
  const isSame = before.name === 'signedIn' && before.store.me._id === signedIn.user._id
  const crm = createClient({ baseUrl: serviceAddress, session, onReach })
  const store = isSame ? before.store : createStore(crm, signedIn)
  await follow(store)
  stage.value = { name: 'signedIn', store, hasEnded: false }
  if (isSame) refresh(store)
  store.loadPeople().catch(() => undefined)
  void store.threads.sendUnsent()
}

/** Asks first where replies are not sent: a sign-out deletes them from this browser. */
export async function signOut(): Promise<void> {
  const now = stage.peek()
  const count = now.name === 'signedIn' ? now.store.threads.unsent.peek().size : 0
  if (count === 0 || window.confirm(t.status.signOutUnsent(count))) await session.signOut()
}

function onReach(isReached: boolean): void {
  const isBack = isReached && !isReachable.peek()
  isReachable.value = isReached
  if (isBack) sendUnsent()
}

// A stream that has slept through a short gap says nothing about it.
window.addEventListener('online', sendUnsent)

// A message that never reached the service is in this browser alone, and nothing sends it while no tab is open.
window.addEventListener('beforeunload', (event) => {
  const now = stage.peek()
  if (now.name === 'signedIn' && now.store.threads.hasUnsent()) event.preventDefault()
})

function sendUnsent(): void {
  const now = stage.peek()
  if (now.name === 'signedIn') void now.store.threads.sendUnsent()
}

/** Resolves when events arrive: rows that are read afterwards miss none. */
async function follow(store: Store): Promise<void> {
  stream.abort()
  stream = new AbortController()
  let wasInterrupted = false
  await followEvents({
    name: session.name,
    crm: store.crm,
    signal: stream.signal,
    onEvent: (event) => store.apply(event),
    onLive: (event) => store.applyLive(event),
    onOpen: () => {
      store.presence.resume()
      store.looks.resume()
      if (wasInterrupted) lookAgain(store)
      wasInterrupted = false
    },
    onInterrupted: () => {
      wasInterrupted = true
      store.presence.interrupt()
    },
    onGap: () => refresh(store),
    onReach,
  })
}

/** Reads again what no event says, and was said while the stream was away: what another window has read, notes, who is there. */
function lookAgain(store: Store): void {
  void store.lists.lookAgain(shownList(store))
  store.heard.value = {}
  store.loadPeople().catch(() => undefined)
}

function shownList({ savedViews }: Store) {
  return withSaved(placeOf(route.peek()).list, savedViews.peek())
}

/** Reads again what the person sees, and forgets the rest. */
function refresh(store: Store): void {
  void store.lists.refresh(shownList(store))
  store.looks.refresh()
  store.heard.value = {}
}
