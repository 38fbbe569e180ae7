import type { Inbox } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { putInbox } from '../../store/put-inbox.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Empty, ProblemBox } from '../../ui/states.tsx'
import { isInUse, type MailProvider, useMailboxSignIn } from './use-mailbox-sign-in.ts'

interface MailboxesPaneProps {
  readonly store: Store
  /** Shows the views on a narrow screen. */
  readonly onMenu: () => void
}

const styles = {
  body: { maxWidth: '720px', padding: '0 14px 24px', overflowY: 'auto' },
  inbox: { padding: '12px 0', borderTop: '1px solid var(--line)', overflowWrap: 'anywhere' },
  actions: { display: 'flex', flexWrap: 'wrap', gap: '8px' },
} as const

/** The sign-in of each inbox to its mailbox at Google or Microsoft. */
export function MailboxesPane({ store, onMenu }: MailboxesPaneProps): JSX.Element {
  const inboxes = store.inboxes.value
  useEffect(() => void readAgain(store).catch(() => undefined), [])
  return (
    <section class="list-pane setup" aria-label={more.mailboxes.title}>
      <header class="list-head">
        <h1>{more.mailboxes.title}</h1>
        <IconButton class="nav-open" icon="menu" label={t.nav.openMenu} onClick={onMenu} />
      </header>
      <div style={styles.body}>
        {inboxes.length === 0 && <Empty title={more.mailboxes.none} />}
        {inboxes.map((inbox) => (
          <Mailbox key={inbox._id} store={store} inbox={inbox} />
        ))}
      </div>
    </section>
  )
}

/** Whether a provider has ended a sign-in is known since the last connection, and no event says so to a screen. */
async function readAgain(store: Store): Promise<void> {
  const { data } = await store.crm.inboxes.list({ limit: 100 })
  for (const inbox of data) putInbox(store, inbox)
}

interface MailboxProps {
  readonly store: Store
  readonly inbox: Inbox
}

function Mailbox({ store, inbox }: MailboxProps): JSX.Element {
  const signIn = useMailboxSignIn(store, inbox)
  const { waiting, problem, said } = signIn
  const { name, email } = inbox
  return (
    <section aria-label={name} style={styles.inbox}>
      <h2 style={{ fontSize: '15px' }}>{name}</h2>
      <p>{email.address ?? more.mailboxes.noAddress}</p>
      {problem && <ProblemBox title={more.mailboxes.failed} reason={problem} />}
      <p role="status">{said}</p>
      {waiting ? (
        <>
          <p role="status">{more.mailboxes.waiting(more.mailboxes.providers[waiting.provider])}</p>
          <div style={styles.actions}>
            <a
              class="button button-primary"
              href={waiting.authorizationUrl}
              target="_blank"
              rel="noopener noreferrer"
            >
              {more.mailboxes.open(more.mailboxes.providers[waiting.provider])}
            </a>
            <Button onClick={signIn.cancel}>{more.mailboxes.cancel}</Button>
          </div>
        </>
      ) : (
        <State inbox={inbox} {...signIn} />
      )}
    </section>
  )
}

interface StateProps extends ReturnType<typeof useMailboxSignIn> {
  readonly inbox: Inbox
}

function State({ inbox, start, use, end }: StateProps): JSX.Element {
  const { oauth, imap, smtp } = inbox.email
  const providers: Readonly<Record<string, string>> = more.mailboxes.providers
  if (oauth === null)
    return (
      <>
        <p>{more.mailboxes.nobody}</p>
        <div style={styles.actions}>
          {Object.entries(providers).map(([provider, name]) => (
            <Button key={provider} onClick={() => void start(provider as MailProvider)}>
              {more.mailboxes.signIn(name)}
            </Button>
          ))}
        </div>
      </>
    )
  const name = providers[oauth.provider] ?? oauth.provider
  const isEnded = imap?.status.reauthRequired === true || smtp?.status.reauthRequired === true
  const isUsed = isInUse(inbox)
  return (
    <>
      <p>{more.mailboxes.signedIn(oauth.user, name, momentTime(oauth.grantedAt))}</p>
      {isEnded && <p role="alert">{more.mailboxes.ended(name)}</p>}
      {!isUsed && <p>{more.mailboxes.unused}</p>}
      <div style={styles.actions}>
        {!isUsed && (
          <Button kind="primary" onClick={() => void use()}>
            {more.mailboxes.use}
          </Button>
        )}
        <Button
          kind={isEnded ? 'primary' : 'normal'}
          onClick={() => void start(oauth.provider as MailProvider)}
        >
          {more.mailboxes.again}
        </Button>
        <Button onClick={() => void end()}>{more.mailboxes.signOut}</Button>
      </div>
    </>
  )
}
