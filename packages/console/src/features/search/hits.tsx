import type { SearchResults } from '@crmkit/sdk'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { readable } from '../../store/mentions.ts'
import { nameOfCustomer } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { shortTime } from '../../strings/times.ts'
import { styles } from './search-styles.ts'

/** A row of the sheet. A conversation is opened; a text takes the place of what was typed. */
export interface Hit {
  readonly key: string
  readonly opens: { readonly conversationId: string } | { readonly text: string }
  readonly content: JSX.Element
}

export interface HitGroup {
  readonly title: string
  readonly hits: readonly Hit[]
}

interface LineProps {
  readonly main: ComponentChildren
  readonly soft?: ComponentChildren
  readonly at?: string | null
}

function Lines({ main, soft, at }: LineProps): JSX.Element {
  return (
    <>
      <span style={styles.line}>
        <span style={styles.main} dir="auto">
          {main}
        </span>
        {at && <span style={styles.time}>{shortTime(at)}</span>}
      </span>
      {soft && (
        <span style={styles.soft} dir="auto">
          {soft}
        </span>
      )}
    </>
  )
}

interface MarkedProps {
  readonly text: string
  readonly ranges: readonly (readonly number[])[]
  /** Returns a part of the text as people read it. */
  show(part: string): string
}

/** The text with its hits marked. The ranges are in units of the text, in order, and do not overlap. */
function Marked({ text, ranges, show }: MarkedProps): JSX.Element {
  const parts: ComponentChildren[] = []
  let at = 0
  for (const [start = 0, end = start] of ranges) {
    parts.push(show(text.slice(at, start)), <mark style={styles.mark}>{show(text.slice(start, end))}</mark>)
    at = end
  }
  return (
    <>
      {parts}
      {show(text.slice(at))}
    </>
  )
}

/** Returns a search for the conversations of a customer: an e-mail names one of them, a name may name several. */
function searchFor(value: string): string {
  return `from:"${value.replaceAll('"', ' ')}" `
}

interface ThreadFactsProps {
  readonly store: Store
  readonly customerId: string | null
  readonly status: string
}

/** The state of a conversation behind the name of its customer: many have the same subject. */
function ThreadFacts({ store, customerId, status }: ThreadFactsProps): JSX.Element {
  const customer = customerId === null ? undefined : store.conversations.customers.row(customerId).value
  useEffect(() => {
    if (customerId !== null) store.conversations.wantCustomer(customerId)
  }, [customerId])
  const state = more.search.statuses[status as keyof typeof more.search.statuses]
  return <>{[customer && nameOfCustomer(customer), state].filter(Boolean).join(' · ')}</>
}

/** The groups of a search, people first. */
export function groupsOf({ customers, conversations, messages }: SearchResults, store: Store): HitGroup[] {
  const people = (customers ?? []).map(({ customer }): Hit => {
    const name = nameOfCustomer(customer)
    const { email, phone, company } = customer.profile
    const facts = [email, phone, company].filter((fact) => fact && fact !== name).join(' · ')
    return {
      key: customer._id,
      opens: { text: searchFor(email ?? name) },
      content: <Lines main={name} soft={facts} />,
    }
  })
  const threads = (conversations ?? []).map(
    ({ conversation }): Hit => ({
      key: conversation._id,
      opens: { conversationId: conversation._id },
      content: (
        <Lines
          main={conversation.subject || t.list.noSubject}
          soft={
            <ThreadFacts store={store} customerId={conversation.customerId} status={conversation.status} />
          }
          at={conversation.lastMessageAt ?? conversation.createdAt}
        />
      ),
    }),
  )
  const texts = (messages ?? []).map(
    ({ messageId, conversationId, subject, customer, type, snippet, ranges, at }): Hit => {
      const name = customer ? nameOfCustomer(customer as Parameters<typeof nameOfCustomer>[0]) : undefined
      const facts = [name, subject, type === 'note' && more.search.note].filter(Boolean).join(' · ')
      const show = (content: string) => readable({ type, content }, store.users.value)
      return {
        key: messageId,
        opens: { conversationId },
        content: <Lines main={<Marked text={snippet} ranges={ranges} show={show} />} soft={facts} at={at} />,
      }
    },
  )
  return [
    { title: more.search.groups.customers, hits: people },
    { title: more.search.groups.conversations, hits: threads },
    { title: more.search.groups.messages, hits: texts },
  ].filter(({ hits }) => hits.length > 0)
}

/** The searches that opened something, the last one first. */
export function recentGroup(texts: readonly string[]): HitGroup[] {
  if (texts.length === 0) return []
  const hits = texts.map(
    (text): Hit => ({ key: `recent-${text}`, opens: { text }, content: <Lines main={text} /> }),
  )
  return [{ title: more.search.recent, hits }]
}
