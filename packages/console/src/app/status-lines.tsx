import type { Door, Inbox } from '@crmkit/sdk'
import { effect, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { resumesAtMs } from '../api/client.ts'
import { readDoors } from '../api/doors.ts'
import { SampleLine } from '../features/setup/sample-line.tsx'
import type { Store } from '../store/store.ts'
import { more } from '../strings/more.ts'
import { momentTime, secondTime } from '../strings/times.ts'
import { Banner } from '../ui/states.tsx'
import { mailboxesAddress } from './addresses.ts'

/** The inbox itself is shown first: the doors are read so long after it was opened. */
const openingMs = 3_000
/** More lines would cover the conversations. */
const linesMax = 3

/** Says above all screens what does not work at present, and what to do. */
export function StatusLines({ store }: { readonly store: Store }): JSX.Element {
  const doors = useDoors(store)
  const lines = doors.flatMap((door) => lineOf(store, door) ?? [])
  const rest = lines.length - linesMax
  return (
    <>
      <Refused />
      <SampleLine store={store} />
      {lines.slice(0, linesMax).map(({ id, text, next, isOfSignIn }) => (
        <Banner key={id}>
          <span>
            <strong>{text}</strong> {next}{' '}
            {isOfSignIn && <a href={mailboxesAddress()}>{more.lines.signIn}</a>}
          </span>
        </Banner>
      ))}
      {rest > 0 && <Banner>{more.lines.further(rest)}</Banner>}
    </>
  )
}

/** Reads the doors again whenever one of them stops or works again. */
function useDoors(store: Store): readonly Door[] {
  const doors = useSignal<readonly Door[]>([])
  useEffect(() => {
    let asked = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async (ask: number) => {
      const found = await readDoors(store.crm)
      if (ask === asked) doors.value = found
    }
    const dispose = effect(() => {
      const { event } = store.heard.value
      if (event !== undefined && !/\.(?:failing|recovered)$/.test(event)) return
      clearTimeout(timer)
      timer = setTimeout(() => void read(++asked).catch(() => undefined), event === undefined ? openingMs : 0)
    })
    return () => {
      asked = -1
      clearTimeout(timer)
      dispose()
    }
  }, [store])
  return doors.value
}

interface Line {
  readonly id: string
  readonly text: string
  readonly next: string
  /** An admin signs in to the mailbox again. */
  readonly isOfSignIn: boolean
}

/** Undefined for a door of an inbox that the person does not see. */
function lineOf({ inboxes, me }: Store, door: Door): Line | undefined {
  const { _id: id, inboxId, part, since, reason } = door
  const inbox = inboxes.value.find(({ _id }) => _id === inboxId)
  const name = inbox?.name
  if (inboxId !== null && name === undefined) return undefined
  const time = momentTime(since)
  const ofInbox = part === 'receiving' ? more.lines.receiving : more.lines.sending
  const isAdmin = me.role === 'owner' || me.role === 'admin'
  const isOfSignIn = isAdmin && isSignedIn(door, inbox)
  const next = isAdmin ? !isOfSignIn && nextSteps[door.door] : more.lines.tellAdmin
  return {
    id,
    isOfSignIn,
    text: name === undefined ? more.lines.syncing(time) : ofInbox(name, time),
    next: [sentenceOf(reason), next].filter(Boolean).join(' '),
  }
}

/** A later version of the service may have further doors. */
const nextSteps: Readonly<Record<string, string>> = more.lines.next

function isSignedIn({ door }: Door, inbox: Inbox | undefined): boolean {
  const { imap, smtp } = inbox?.email ?? {}
  return { mailbox: imap, server: smtp }[door as string]?.auth === 'oauth'
}

function sentenceOf(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`
}

/** The client waits and asks again by itself; the line says until when. */
function Refused(): JSX.Element | null {
  const until = resumesAtMs.value
  useEffect(() => {
    if (until === 0) return
    const timer = setTimeout(() => {
      resumesAtMs.value = 0
    }, until - Date.now())
    return () => clearTimeout(timer)
  }, [until])
  return until === 0 ? null : <Banner>{more.lines.refused(secondTime(until))}</Banner>
}
