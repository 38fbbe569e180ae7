import type { Inbox } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { putInbox } from '../../store/put-inbox.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { navigate } from '../../ui/navigation.ts'
import { Empty } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { InboxChanges } from './inbox-changes.tsx'
import { InboxForm } from './inbox-form.tsx'
import { InboxRecords } from './inbox-records.tsx'
import { InboxTest } from './inbox-test.tsx'
import { receivingOf, sendingOf } from './mail-ways.ts'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'

interface InboxesSectionProps {
  readonly store: Store
  /** A part of the address: the id of the inbox that is open. */
  readonly item: string | undefined
  readonly addressOf: (item?: string) => string
}

/** How the inboxes receive and send e-mail. */
export function InboxesSection({ store, item, addressOf }: InboxesSectionProps): JSX.Element {
  const inboxes = store.inboxes.value
  const [isNew, setNew] = useState(false)
  const texts = more.inboxes
  useEffect(() => void readAgain(store).catch(() => undefined), [item])
  if (item !== undefined) {
    const inbox = inboxes.find(({ _id }) => _id === item)
    return (
      <>
        <p>
          <a href={addressOf()}>{texts.back}</a>
        </p>
        {inbox ? (
          <InboxDetails
            key={item}
            store={store}
            inbox={inbox}
            onDeleted={() => navigate(addressOf(), { replace: true })}
          />
        ) : (
          <Empty title={texts.notFound} />
        )}
      </>
    )
  }
  return (
    <>
      <p>{texts.hint}</p>
      <p>
        <Button kind="primary" onClick={() => setNew(true)}>
          {more.inboxForms.new}
        </Button>
      </p>
      {inboxes.length === 0 ? (
        <Empty title={texts.none} />
      ) : (
        <SettingsTable label={more.settings.names.inboxes} columns={texts.columns}>
          {inboxes.map((inbox) => (
            <tr key={inbox._id}>
              <Cell>
                <a href={addressOf(inbox._id)}>{inbox.name}</a>
              </Cell>
              <Cell>{inbox.email.address ?? texts.noAddress}</Cell>
              <Cell>{receivingOf(inbox.email)}</Cell>
              <Cell>{sendingOf(inbox.email)}</Cell>
            </tr>
          ))}
        </SettingsTable>
      )}
      {isNew && (
        <Dialog title={more.inboxForms.new} onClose={() => setNew(false)}>
          <InboxForm
            store={store}
            submit={more.inboxForms.create}
            onSubmit={async (values) => {
              const made = await store.crm.inboxes.create(values)
              store.inboxes.value = [...store.inboxes.peek(), made]
              showToast(more.inboxForms.created(made.name))
              setNew(false)
              navigate(addressOf(made._id))
            }}
          />
        </Dialog>
      )}
    </>
  )
}

/** The state of the connections changes without an event. */
async function readAgain(store: Store): Promise<void> {
  const { data } = await store.crm.inboxes.list({ limit: 100 })
  for (const inbox of data) putInbox(store, inbox)
}

interface InboxDetailsProps {
  readonly store: Store
  readonly inbox: Inbox
  readonly onDeleted: () => void
}

function InboxDetails({ store, inbox, onDeleted }: InboxDetailsProps): JSX.Element {
  const { email, name } = inbox
  const texts = more.inboxes
  const facts: Readonly<Record<keyof typeof texts.fields, string | null | undefined>> = {
    address: email.address ?? texts.noAddress,
    displayName: email.displayName,
    receives: receivingOf(email),
    sends: sendingOf(email),
    lastMailAt: email.imap?.status.lastMailAt && momentTime(email.imap.status.lastMailAt),
    domainProvenAt: email.domainProvenAt && momentTime(email.domainProvenAt),
    dkim: email.dkim?.selector,
    delay: email.sendDelaySeconds > 0 ? texts.seconds(email.sendDelaySeconds) : null,
    autoReply: email.autoReply.enabled ? texts.on : texts.off,
  }
  return (
    <>
      <h3 dir="auto">{name}</h3>
      <InboxChanges store={store} inbox={inbox} onDeleted={onDeleted} />
      <dl style={styles.facts}>
        {(Object.keys(texts.fields) as (keyof typeof facts)[]).map(
          (field) =>
            facts[field] && (
              <>
                <dt>{texts.fields[field]}</dt>
                <dd style={styles.fact}>{facts[field]}</dd>
              </>
            ),
        )}
      </dl>
      {(email.imap !== null || email.transport !== 'none') && <InboxTest store={store} inbox={inbox} />}
      {email.address !== null && <InboxRecords store={store} inbox={inbox} />}
    </>
  )
}
