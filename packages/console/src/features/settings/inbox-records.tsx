import type { Inbox, InboxDns } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { putInbox } from '../../store/put-inbox.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { wordOf } from '../../strings/word-of.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'

interface InboxRecordsProps {
  readonly store: Store
  readonly inbox: Inbox
}

/** The records that the domain of an inbox needs, and whether they are published. */
export function InboxRecords({ store, inbox }: InboxRecordsProps): JSX.Element {
  const [found, setFound] = useState<InboxDns>()
  const { isSending, problem, send } = useSending()
  const texts = more.inboxes
  const { _id, email } = inbox
  const { inboxes } = store.crm
  const check = async () => setFound(await inboxes.dns(_id))
  const makeKey = async () => {
    putInbox(store, await inboxes.makeDkimKey(_id, {}))
    await check()
  }
  const prove = async () => {
    const checked = await inboxes.verifyDomain(_id)
    putInbox(store, checked)
    showToast(checked.email.domainProvenAt === null ? texts.notProven : texts.proven)
    await check()
  }
  return (
    <>
      <h3>{texts.records}</h3>
      <p>{texts.recordsHint}</p>
      <p style={styles.actions}>
        <Button kind="primary" isDisabled={isSending} onClick={() => send(check)}>
          {texts.check}
        </Button>
        {email.dkim === null && (
          <Button isDisabled={isSending} onClick={() => send(makeKey, texts.dkimDone)}>
            {texts.makeDkim}
          </Button>
        )}
        {email.domainProvenAt === null && (
          <Button isDisabled={isSending} onClick={() => send(prove)}>
            {texts.prove}
          </Button>
        )}
      </p>
      <ProblemText problem={problem} />
      <p role="status">{found && summaryOf(found)}</p>
      {found && (
        <SettingsTable label={texts.records} columns={texts.recordColumns}>
          {found.records.map((record) => (
            <tr key={record.purpose}>
              <Cell>{wordOf(texts.purposes, record.purpose)}</Cell>
              <Cell>{record.type}</Cell>
              <Cell>
                <code style={styles.code}>{record.name}</code>
              </Cell>
              <Cell>
                <code style={styles.code}>{record.value}</code>
              </Cell>
              <Cell>{stateOf(record)}</Cell>
            </tr>
          ))}
        </SettingsTable>
      )}
    </>
  )
}

function summaryOf({ ok, records, domain }: InboxDns): string {
  const texts = more.inboxes
  if (ok) return texts.recordsDone(domain)
  return (records.some((record) => record.ok === false) ? texts.recordsOpen : texts.recordsUnknown)(domain)
}

function stateOf({ ok, reason, published }: InboxDns['records'][number]): string {
  const texts = more.inboxes
  if (ok === true) return texts.right
  const state = ok === null ? texts.unknown : published?.length === 0 ? texts.missing : texts.wrong
  return reason === null ? state : `${state}. ${reason}`
}
