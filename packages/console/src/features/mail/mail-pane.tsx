import type { InboundMail } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type MailPage, readMails } from '../../api/mails.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { exactTime, shortTime } from '../../strings/times.ts'
import { IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { MailContent } from './mail-content.tsx'
import { styles } from './mail-styles.ts'
import { reasonOf } from './reasons.ts'

interface MailPaneProps {
  readonly store: Store
  /** Gets the id of the conversation that a mail became. */
  readonly onMade: (conversationId: string) => void
  /** Shows the views on a narrow screen. */
  readonly onMenu: () => void
}

/** The mails that need a person, in the place of a list of conversations. One that is chosen opens in a dialog. */
export function MailPane({ store, onMade, onMenu }: MailPaneProps): JSX.Element {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<InboundMail | undefined>(undefined)
  const { page, problem, read } = useMails(store, search)
  const leave = () => {
    setChosen(undefined)
    read()
  }
  return (
    <section class="list-pane setup" aria-label={more.mail.title}>
      <header class="list-head">
        <h1>{more.mail.title}</h1>
        <IconButton class="nav-open" icon="menu" label={t.nav.openMenu} onClick={onMenu} />
      </header>
      <div style={styles.search}>
        <input
          class="input"
          type="search"
          aria-label={more.mail.search}
          placeholder={more.mail.search}
          maxLength={200}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </div>
      <div class="list-rows">
        <Rows page={page} problem={problem} search={search} onRetry={read} onChoose={setChosen} />
      </div>
      {chosen && (
        <Dialog title={chosen.subject || t.list.noSubject} onClose={() => setChosen(undefined)}>
          <MailContent
            store={store}
            mail={chosen}
            onChanged={(mail) => {
              setChosen(mail)
              read()
            }}
            onDone={leave}
            onMade={(id) => {
              setChosen(undefined)
              onMade(id)
            }}
          />
        </Dialog>
      )}
    </section>
  )
}

interface RowsProps {
  readonly page: MailPage | undefined
  readonly problem: Problem | undefined
  readonly search: string
  readonly onRetry: () => void
  readonly onChoose: (mail: InboundMail) => void
}

function Rows({ page, problem, search, onRetry, onChoose }: RowsProps): JSX.Element {
  if (problem) return <ProblemBox title={more.mail.failed} reason={problem} onRetry={onRetry} />
  if (page === undefined) return <SkeletonRows count={3} rowHeight={84} />
  const [title, hint] = search ? more.mail.nothingFound : more.mail.empty
  if (page.mails.length === 0) return <Empty title={title} hint={hint} />
  return (
    <ul style={styles.rows} aria-label={more.mail.title}>
      {page.mails.map((mail) => (
        <li key={mail._id}>
          <button type="button" class="row" style={styles.row} onClick={() => onChoose(mail)}>
            <span class="row-dot" />
            <span class="row-name" dir="auto">
              {mail.from || mail.envelope.from || more.mail.noSender}
            </span>
            <time class="row-time" dateTime={mail.receivedAt} title={exactTime(mail.receivedAt)}>
              {shortTime(mail.receivedAt)}
            </time>
            <span class="row-subject" dir="auto">
              {mail.subject || t.list.noSubject}
            </span>
            <span class="row-meta row-urgent">{reasonOf(mail.reason)}</span>
          </button>
        </li>
      ))}
      {page.hasMore && <li style={styles.further}>{more.mail.further}</li>}
    </ul>
  )
}

/** Milliseconds after the last key before a search begins. */
const typingMs = 200

/** Reads the mails when their number changes, and when the search does. */
function useMails(store: Store, search: string) {
  const [page, setPage] = useState<MailPage | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const latest = useRef(0)
  const read = () => {
    latest.current += 1
    const current = latest.current
    const unlessLate =
      <T,>(take: (value: T) => void) =>
      (value: T) => {
        if (current === latest.current) take(value)
      }
    setProblem(undefined)
    readMails(store.crm, search.trim()).then(
      unlessLate(setPage),
      unlessLate((error: unknown) => setProblem(problemOf(error))),
    )
  }
  useEffect(() => {
    const timer = setTimeout(read, page === undefined ? 0 : typingMs)
    return () => clearTimeout(timer)
  }, [search, store.counts.value['mailNeedsYou']?.total])
  return { page, problem, read }
}
