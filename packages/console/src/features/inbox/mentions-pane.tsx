import type { Mention } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { named } from '../../store/mentions.ts'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { exactTime, shortTime } from '../../strings/times.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'

interface MentionsPaneProps {
  readonly store: Store
  /** The conversation that is open beside the list. */
  readonly chosenId: string | undefined
  readonly addressOf: (conversationId: string) => string
  /** Shows the views on a narrow screen. */
  readonly onMenu: () => void
}

/** The notes that mention this person, in the place of a list of conversations. A look at the conversation reads them. */
export function MentionsPane({ onMenu, ...props }: MentionsPaneProps): JSX.Element {
  return (
    <section class="list-pane" aria-label={t.nav.mentions}>
      <header class="list-head">
        <h1>{t.nav.mentions}</h1>
        <IconButton class="nav-open" icon="menu" label={t.nav.openMenu} onClick={onMenu} />
      </header>
      <div class="list-rows" style={{ overflowY: 'auto' }}>
        <MentionList {...props} />
      </div>
    </section>
  )
}

function MentionList(props: Omit<MentionsPaneProps, 'onMenu'>): JSX.Element {
  const { found, problem, read, readOlder } = useMentions(props.store)
  const texts = more.mentions
  if (problem) return <ProblemBox title={texts.failed} reason={problem} onRetry={read} />
  if (found === undefined) return <SkeletonRows count={4} rowHeight={84} />
  if (found.unread.length + found.read.length === 0) return <Empty title={texts.none} hint={texts.noneHint} />
  return (
    <>
      <Rows {...props} title={texts.unread} mentions={found.unread} />
      <Rows {...props} title={texts.read} mentions={found.read} />
      {found.hasOlder && (
        <p style={{ padding: '0 14px' }}>
          <Button onClick={readOlder}>{texts.older}</Button>
        </p>
      )}
    </>
  )
}

const headStyle = {
  margin: 0,
  padding: '10px 14px 4px',
  fontSize: '12px',
  color: 'var(--text-soft)',
} as const
const listStyle = { margin: 0, padding: 0, listStyle: 'none' } as const

interface RowsProps extends Omit<MentionsPaneProps, 'onMenu'> {
  readonly title: string
  readonly mentions: readonly Mention[]
}

function Rows({ title, mentions, store, chosenId, addressOf }: RowsProps): JSX.Element | null {
  if (mentions.length === 0) return null
  return (
    <>
      <h2 style={headStyle}>{title}</h2>
      <ul style={listStyle} aria-label={title}>
        {mentions.map((mention) => (
          <li key={mention._id}>
            <a
              class={`row ${mention.readAt === null ? 'row-unread' : ''}`}
              style={{ minHeight: '84px' }}
              href={addressOf(mention.conversationId)}
              aria-current={mention.conversationId === chosenId ? 'true' : undefined}
            >
              <Row store={store} mention={mention} />
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

function Row({ store, mention }: { readonly store: Store; readonly mention: Mention }): JSX.Element {
  const { conversationId, by, at, note } = mention
  // An event may have changed the subject since.
  const conversation = store.conversations.rows.row(conversationId).value
  const text = note ? named(note.content, store.users.value).text : more.mentions.deleted
  return (
    <>
      <span class="row-dot" />
      <span class="row-name" dir="auto">
        {byWhom(store, by)}
      </span>
      <time class="row-time" dateTime={at} title={exactTime(at)}>
        {shortTime(at)}
      </time>
      <span class="row-subject" dir="auto">
        {(conversation?.subject ?? note?.subject) || t.list.noSubject}
      </span>
      <span class="row-meta row-preview" dir="auto">
        {text}
      </span>
    </>
  )
}

function byWhom({ users }: Store, id: string | null): string {
  if (id === null) return more.mentions.byProgram
  const user = users.value.find(({ _id }) => _id === id)
  return more.mentions.by(user ? nameOfUser(user) : t.activity.former)
}

/** So many rows are read at once. */
const pageSize = 20

interface Found {
  readonly unread: readonly Mention[]
  readonly read: readonly Mention[]
  readonly hasOlder: boolean
}

/** The unread mentions, then the others. They are read again when a note mentions this person, and when one is read. */
function useMentions(store: Store) {
  const [found, setFound] = useState<Found>()
  const [problem, setProblem] = useState<Problem>()
  const [limit, setLimit] = useState(pageSize)
  const news = useRef<object | undefined>(undefined)
  const heard = store.heard.value
  // Without a type, events may be missing.
  if (heard.event === undefined || heard.event === 'mention.created') news.current = heard
  const latest = useRef(0)
  const read = () => {
    setProblem(undefined)
    latest.current += 1
    const current = latest.current
    const list = (unread: boolean) => store.crm.users.listMentions({ unread, limit, include: ['note'] })
    Promise.all([list(true), list(false)]).then(
      ([unread, rest]) => {
        if (current !== latest.current) return
        const hasOlder = [unread, rest].some(({ data }) => data.length === limit)
        setFound({ unread: unread.data, read: rest.data, hasOlder: hasOlder && limit < limitMax })
      },
      (error: unknown) => {
        if (current === latest.current) setProblem(problemOf(error))
      },
    )
  }
  useEffect(read, [store.counts.value['mentions']?.total, news.current, limit])
  return { found, problem, read, readOlder: () => setLimit(limitMax) }
}

/** The most rows that the service sends at once. */
const limitMax = 100
