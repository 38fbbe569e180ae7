import type { OwnDraft } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { fullName } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { wordsOf } from '../../strings/words-of.ts'
import { IconButton } from '../../ui/button.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'

interface UnsentListProps {
  readonly store: Store
  readonly chosenId: string | undefined
  readonly addressOf: (conversationId: string) => string
}

const listStyle = { height: '100%', margin: 0, padding: 0, overflowY: 'auto', listStyle: 'none' } as const
const rowStyle = { minHeight: '84px' }

/** The replies that were not sent, in the place of a list of conversations. */
export function UnsentPane({
  onMenu,
  ...props
}: UnsentListProps & {
  /** Shows the views on a narrow screen. */
  readonly onMenu: () => void
}): JSX.Element {
  return (
    <section class="list-pane" aria-label={t.list.label}>
      <header class="list-head">
        <h1>{t.nav.unsent}</h1>
        <IconButton class="nav-open" icon="menu" label={t.nav.openMenu} onClick={onMenu} />
      </header>
      <div class="list-rows">
        <UnsentList {...props} />
      </div>
    </section>
  )
}

/** The replies of this person that were not sent: those that only this browser has, then those that the service has stopped. */
function UnsentList({ store, chosenId, addressOf }: UnsentListProps): JSX.Element {
  const { drafts, problem, read } = useUnsentDrafts(store)
  const here = [...store.threads.unsent.value]
  if (problem) return <ProblemBox title={t.list.failed} reason={problem} onRetry={read} />
  if (drafts === undefined) return <SkeletonRows count={3} rowHeight={84} />
  const [title, hint] = more.unsent.empty
  if (here.length + drafts.length === 0) return <Empty title={title} hint={hint} />
  const linkTo = (id: string) => ({
    href: addressOf(id),
    style: rowStyle,
    'aria-current': id === chosenId ? ('true' as const) : undefined,
  })
  return (
    <ul style={listStyle} aria-label={t.list.label}>
      {here.map((id) => (
        <li key={id}>
          <a class="row" {...linkTo(id)}>
            <span class="row-dot" />
            <KeptRow store={store} id={id} />
          </a>
        </li>
      ))}
      {drafts.map(({ _id, conversation, content, attachments, sendError }) => (
        <li key={_id}>
          <a class="row" {...linkTo(conversation._id)}>
            <span class="row-dot" />
            <span class="row-name" dir="auto">
              {nameOf(conversation)}
            </span>
            <span class="row-subject" dir="auto">
              {conversation.subject || t.list.noSubject}: {wordsOf(content, attachments.length)}
            </span>
            <span class="row-meta row-urgent">{reasonOf(sendError ?? '')}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** A reply that never reached the service. */
function KeptRow({ store, id }: { readonly store: Store; readonly id: string }): JSX.Element {
  const conversation = store.conversations.rows.row(id).value
  useEffect(() => {
    if (conversation === undefined) void store.conversations.load(id).catch(() => undefined)
  }, [id])
  return (
    <>
      <span class="row-subject" dir="auto">
        {conversation?.subject || t.list.noSubject}
      </span>
      <span class="row-meta row-urgent">{more.unsent.here}</span>
    </>
  )
}

function nameOf({ customer }: OwnDraft['conversation']): string {
  if (customer === null) return t.customer.none
  const { profile } = customer
  return fullName(profile) || ('email' in profile && profile.email) || t.common.unknownPerson
}

function reasonOf(code: string): string {
  return Object.hasOwn(more.unsent.reasons, code)
    ? more.unsent.reasons[code as keyof typeof more.unsent.reasons]
    : more.unsent.other(code)
}

/** Reads the drafts again when their number changes. */
function useUnsentDrafts(store: Store) {
  const [drafts, setDrafts] = useState<readonly OwnDraft[] | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const read = () => {
    setProblem(undefined)
    store.crm.drafts.listOwn({ state: 'unsent', limit: 100 }).then(
      ({ data }) => setDrafts(data),
      (error: unknown) => setProblem(problemOf(error)),
    )
  }
  useEffect(read, [store.counts.value['unsent']?.total])
  return { drafts, problem, read }
}
