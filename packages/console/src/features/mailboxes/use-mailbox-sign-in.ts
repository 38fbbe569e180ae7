import type { Inbox, StartedSignIn } from '@crmkit/sdk'
import { useEffect, useState } from 'preact/hooks'
import { emailSettings } from '../../api/inbox-settings.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import { putInbox } from '../../store/put-inbox.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'

export type MailProvider = keyof typeof more.mailboxes.providers

interface Waiting extends StartedSignIn {
  readonly provider: MailProvider
}

/** How often the service is asked whether access was granted. */
const askingMs = 2_000

/** The sign-in to the mailbox of one inbox: it waits for the grant in another tab as long as the screen is shown. */
export function useMailboxSignIn(store: Store, inbox: Inbox) {
  const [waiting, setWaiting] = useState<Waiting | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const [said, setSaid] = useState('')
  const { inboxes } = store.crm

  const attempt = async (provider: MailProvider | undefined, work: () => Promise<unknown>) => {
    setProblem(undefined)
    setSaid('')
    try {
      await work()
    } catch (error) {
      setProblem(ownProblem(error, provider))
    }
  }

  useEffect(() => {
    if (waiting === undefined) return
    const left = new AbortController()
    const confirm = async () => {
      const granted = await grantOf(store, waiting, left.signal)
      if (granted === undefined) return
      putInbox(store, granted)
      setWaiting(undefined)
      if (!isInUse(granted)) await useSignIn(store, granted)
    }
    void attempt(waiting.provider, () =>
      confirm().catch((error: unknown) => {
        setWaiting(undefined)
        throw error
      }),
    )
    return () => left.abort()
  }, [waiting])

  return {
    waiting,
    problem,
    said,
    start: (provider: MailProvider) =>
      attempt(provider, async () =>
        setWaiting({ ...(await inboxes.startEmailSignIn(inbox._id, { provider })), provider }),
      ),
    cancel: () => {
      setWaiting(undefined)
      setSaid(more.mailboxes.cancelled)
    },
    use: () => attempt(undefined, () => useSignIn(store, inbox)),
    end: () => attempt(undefined, async () => putInbox(store, await inboxes.endEmailSignIn(inbox._id))),
  }
}

/** Returns the inbox with its sign-in; undefined when nobody waits for it any more. */
async function grantOf(
  { crm }: Store,
  { provider, state, expiresAt }: Waiting,
  signal: AbortSignal,
): Promise<Inbox | undefined> {
  while (!signal.aborted) {
    try {
      return await crm.inboxes.confirmEmailSignIn(provider, { state }, { signal })
    } catch (error) {
      if (signal.aborted) return undefined
      // Before the grant the service knows no sign-in of the state.
      if (problemOf(error).code !== 'NOT_FOUND') throw error
    }
    if (Date.now() >= Date.parse(expiresAt)) throw new Expired()
    await new Promise((resolve) => setTimeout(resolve, askingMs))
  }
  return undefined
}

/** Nobody has granted access in time. */
class Expired extends Error {}

/** Whether the inbox reads or sends by a sign-in. */
export function isInUse({ email: { imap, smtp } }: Inbox): boolean {
  return imap?.auth === 'oauth' || smtp?.auth === 'oauth'
}

/** Lets the inbox read and send by its sign-in. */
async function useSignIn(store: Store, inbox: Inbox): Promise<void> {
  const { address, oauth, imap } = inbox.email
  const auth = 'oauth' as const
  const email = {
    ...emailSettings(inbox),
    address: address ?? oauth?.user ?? null,
    transport: 'smtp' as const,
    imap: { auth, folder: imap?.folder ?? null, since: imap?.since ?? null },
    smtp: { auth },
  }
  putInbox(store, await store.crm.inboxes.update(inbox._id, { email }))
}

/** Says what the person can do about it; other failures have their usual sentence. */
function ownProblem(error: unknown, provider: MailProvider | undefined): Problem {
  const problem = problemOf(error)
  const name = provider === undefined ? '' : more.mailboxes.providers[provider]
  if (error instanceof Expired) return { ...problem, sentence: more.mailboxes.expired, detail: '' }
  const rules = rulesOf(problem)
  if (rules.includes('denied')) return { ...problem, sentence: more.mailboxes.denied(name), detail: '' }
  if (rules.includes('not_configured')) return { ...problem, sentence: more.mailboxes.notConfigured(name) }
  return problem
}

function rulesOf({ details }: Problem): unknown[] {
  return Array.isArray(details) ? details.map((each: { rule?: unknown }) => each.rule) : []
}
