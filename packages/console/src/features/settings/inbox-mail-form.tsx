import type { Inbox } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { putInbox } from '../../store/put-inbox.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { MailReplies } from './inbox-mail-replies.tsx'
import {
  emailBodyOf,
  type MailValues,
  mailValuesOf,
  passwordsOf,
  type Receives,
  type Sends,
  suggestedServer,
} from './inbox-mail-values.ts'
import { MailServerFields } from './mail-server-fields.tsx'
import { styles } from './settings-styles.ts'

interface InboxMailFormProps {
  readonly store: Store
  readonly inbox: Inbox
  readonly onSaved: () => void
}

export interface MailPartProps {
  readonly values: MailValues
  readonly onChange: (changed: Partial<MailValues>) => void
}

/** The e-mail settings of an inbox: the inside of a dialog. */
export function InboxMailForm({ store, inbox, onSaved }: InboxMailFormProps): JSX.Element {
  const [values, setValues] = useState(() => mailValuesOf(inbox.email))
  const { isSending, problem, send } = useSending()
  const texts = more.inboxForms
  const change = (changed: Partial<MailValues>) => setValues((now) => ({ ...now, ...changed }))
  const save = async () => {
    const { inboxes } = store.crm
    putInbox(store, await inboxes.update(inbox._id, { email: emailBodyOf(inbox, values) }))
    const passwords = passwordsOf(values)
    if (passwords) putInbox(store, await inboxes.setEmailCredentials(inbox._id, passwords))
    onSaved()
  }
  return (
    <form
      style={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send(save, texts.saved(inbox.name))
      }}
    >
      <Address values={values} onChange={change} />
      <Receiving inbox={inbox} values={values} onChange={change} />
      <SendingFields inbox={inbox} values={values} onChange={change} />
      <MailReplies values={values} onChange={change} />
      <ProblemText problem={problem} />
      <p>
        <Button type="submit" kind="primary" isDisabled={isSending}>
          {more.settings.save}
        </Button>
      </p>
    </form>
  )
}

function Address({ values, onChange }: MailPartProps): JSX.Element {
  const texts = more.inboxForms
  return (
    <>
      <label class="field">
        {texts.address}
        <input
          class="input"
          type="email"
          maxLength={254}
          value={values.address}
          onInput={({ currentTarget }) => onChange({ address: currentTarget.value })}
        />
      </label>
      <label class="field">
        {texts.displayName}
        <input
          class="input"
          dir="auto"
          maxLength={100}
          value={values.displayName}
          onInput={({ currentTarget }) => onChange({ displayName: currentTarget.value })}
        />
      </label>
    </>
  )
}

interface WayProps extends MailPartProps {
  readonly inbox: Inbox
}

function Receiving({ inbox, values, onChange }: WayProps): JSX.Element {
  const texts = more.inboxForms
  const { oauth, hasImapPassword } = inbox.email
  const { receives, imap, address } = values
  const choose = (chosen: Receives) =>
    onChange({
      receives: chosen,
      ...(chosen === 'mailbox' && { imap: suggestedServer(imap, { name: 'imap', address }) }),
    })
  return (
    <>
      <Choice
        label={texts.receives}
        names={texts.receiving}
        value={receives}
        isLeftOut={(name) => name === 'signIn' && oauth === null}
        onChange={choose}
      />
      {receives === 'nothing' && <p class="hint">{texts.forwardHint}</p>}
      {receives === 'mailbox' && (
        <MailServerFields
          label={texts.receiving.mailbox}
          server={imap}
          hasPassword={hasImapPassword}
          isUserRequired
          onChange={(changed) => onChange({ imap: changed })}
        />
      )}
      {receives !== 'nothing' && (
        <label>
          <input
            type="checkbox"
            checked={values.isFetched}
            onChange={({ currentTarget }) => onChange({ isFetched: currentTarget.checked })}
          />{' '}
          {texts.isFetched}
        </label>
      )}
    </>
  )
}

function SendingFields({ inbox, values, onChange }: WayProps): JSX.Element {
  const texts = more.inboxForms
  const { oauth, hasSmtpPassword } = inbox.email
  const { sends, smtp, address } = values
  const choose = (chosen: Sends) =>
    onChange({
      sends: chosen,
      ...(chosen === 'smtp' && { smtp: suggestedServer(smtp, { name: 'smtp', address }) }),
    })
  return (
    <>
      <Choice
        label={texts.sends}
        names={texts.sending}
        value={sends}
        isLeftOut={(name) => name === 'signIn' && oauth === null}
        onChange={choose}
      />
      {sends === 'smtp' && (
        <MailServerFields
          label={texts.sending.smtp}
          server={smtp}
          hasPassword={hasSmtpPassword}
          isUserRequired={false}
          onChange={(changed) => onChange({ smtp: changed })}
        />
      )}
    </>
  )
}

interface ChoiceProps<Name extends string> {
  readonly label: string
  readonly names: Readonly<Record<Name, string>>
  readonly value: Name
  readonly isLeftOut: (name: Name) => boolean
  readonly onChange: (name: Name) => void
}

function Choice<Name extends string>({
  label,
  names,
  value,
  isLeftOut,
  onChange,
}: ChoiceProps<Name>): JSX.Element {
  const offered = (Object.keys(names) as Name[]).filter((name) => !isLeftOut(name))
  return (
    <label class="field">
      {label}
      <select
        class="input"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Name)}
      >
        {offered.map((name) => (
          <option key={name} value={name}>
            {names[name]}
          </option>
        ))}
      </select>
    </label>
  )
}
