import type { Inbox } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { widgetSettings } from '../../api/inbox-settings.ts'
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
      <ProblemText problem={problem} />
      <p>
        <Button type="submit" kind="primary" isDisabled={isSending}>
          {more.settings.save}
        </Button>
      </p>
    </form>
  )
}
