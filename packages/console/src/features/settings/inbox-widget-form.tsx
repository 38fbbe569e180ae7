import type { Inbox } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type WidgetSettings, widgetSettings } from '../../api/inbox-settings.ts'
import { putInbox } from '../../store/put-inbox.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { styles } from './settings-styles.ts'

interface InboxWidgetFormProps {
  readonly store: Store
  readonly inbox: Inbox
  readonly onSaved: () => void
}

interface VisitorFieldsProps {
  readonly store: Store
  readonly values: WidgetSettings
  readonly onChange: (values: WidgetSettings) => void
}

/** The colour of a widget without one. */
const usualColor = '#3457d5'
const greetingMax = 500

/** The chat of an inbox on the pages of the team: the inside of a dialog. */
export function InboxWidgetForm({ store, inbox, onSaved }: InboxWidgetFormProps): JSX.Element {
  const [values, setValues] = useState(() => widgetSettings(inbox))
  const [origins, setOrigins] = useState(() => (values.allowedOrigins ?? []).join('\n'))
  const { isSending, problem, send } = useSending()
  const texts = more.inboxForms
  const save = async () => {
    const allowedOrigins = origins
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    const { inboxes } = store.crm
    putInbox(store, await inboxes.update(inbox._id, { widget: { ...values, allowedOrigins } }))
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
      <label>
        <input
          type="checkbox"
          checked={values.enabled === true}
          onChange={({ currentTarget }) => setValues({ ...values, enabled: currentTarget.checked })}
        />{' '}
        {texts.widgetOn}
      </label>
      <label class="field">
        {texts.greeting}
        <textarea
          class="input"
          dir="auto"
          rows={2}
          maxLength={greetingMax}
          value={values.greeting ?? ''}
          onInput={({ currentTarget }) =>
            setValues({ ...values, greeting: currentTarget.value.trim() === '' ? null : currentTarget.value })
          }
        />
      </label>
      <label class="field">
        {texts.color}
        <input
          class="input"
          type="color"
          value={values.color ?? usualColor}
          onInput={({ currentTarget }) => setValues({ ...values, color: currentTarget.value })}
        />
      </label>
      <label class="field">
        {texts.origins}
        <textarea
          class="input"
          rows={3}
          spellcheck={false}
          placeholder={texts.originsExample}
          value={origins}
          onInput={({ currentTarget }) => setOrigins(currentTarget.value)}
        />
      </label>
      <p class="hint">{texts.originsHint}</p>
      <label>
        <input
          type="checkbox"
          checked={values.identityRequired === true}
          onChange={({ currentTarget }) => setValues({ ...values, identityRequired: currentTarget.checked })}
        />{' '}
        {texts.identityRequired}
      </label>
      <VisitorFields store={store} values={values} onChange={setValues} />
      <ProblemText problem={problem} />
      <p>
        <Button type="submit" kind="primary" isDisabled={isSending}>
          {more.settings.save}
        </Button>
      </p>
    </form>
  )
}

/** The team that visitors see, and the mail to visitors who have left. */
function VisitorFields({ store, values, onChange }: VisitorFieldsProps): JSX.Element {
  const texts = more.inboxForms
  const { showTeam, askEmail, replyByMail } = values
  const isMailed = replyByMail?.enabled === true
  const sending = store.inboxes.value.filter(
    ({ _id, email }) => email.transport !== 'none' || _id === replyByMail?.inboxId,
  )
  const mailWith = (changed: Partial<NonNullable<WidgetSettings['replyByMail']>>) =>
    onChange({ ...values, replyByMail: { ...replyByMail, ...changed } })
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={showTeam === true}
          onChange={({ currentTarget }) => onChange({ ...values, showTeam: currentTarget.checked })}
        />{' '}
        {texts.showTeam}
      </label>
      <label>
        <input
          type="checkbox"
          checked={askEmail === true}
          onChange={({ currentTarget }) => onChange({ ...values, askEmail: currentTarget.checked })}
        />{' '}
        {texts.askEmail}
      </label>
      <label>
        <input
          type="checkbox"
          checked={isMailed}
          disabled={!isMailed && sending.length === 0}
          onChange={({ currentTarget }) =>
            mailWith({
              enabled: currentTarget.checked,
              inboxId: replyByMail?.inboxId ?? sending[0]?._id ?? null,
            })
          }
        />{' '}
        {texts.replyByMail}
      </label>
      {sending.length === 0 && <p class="hint">{texts.replyByMailHint}</p>}
      {isMailed && (
        <label class="field">
          {texts.mailInbox}
          <select
            class="input"
            value={replyByMail?.inboxId ?? ''}
            onChange={({ currentTarget }) => mailWith({ inboxId: currentTarget.value })}
          >
            {sending.map(({ _id, name }) => (
              <option key={_id} value={_id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  )
}
