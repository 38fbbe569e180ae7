import type { JSX } from 'preact'
import { more } from '../../strings/more.ts'
import type { MailPartProps } from './inbox-mail-form.tsx'

const delayMaxSeconds = 60
const reopenMaxDays = 365
const textMax = 5_000

/** The part of the e-mail settings that concerns replies: the signature, the wait, and the automatic reply. */
export function MailReplies({ values, onChange }: MailPartProps): JSX.Element {
  const texts = more.inboxForms
  return (
    <>
      <label class="field">
        {texts.signature}
        <textarea
          class="input"
          dir="auto"
          rows={4}
          maxLength={textMax}
          value={values.signature}
          onInput={({ currentTarget }) => onChange({ signature: currentTarget.value })}
        />
      </label>
      <p class="hint">{texts.signatureHint}</p>
      <label class="field">
        {texts.delay}
        <input
          class="input"
          type="number"
          required
          min={0}
          max={delayMaxSeconds}
          value={values.sendDelaySeconds}
          onInput={({ currentTarget }) => onChange({ sendDelaySeconds: currentTarget.valueAsNumber })}
        />
      </label>
      <label class="field">
        {texts.reopen}
        <input
          class="input"
          type="number"
          required
          min={1}
          max={reopenMaxDays}
          value={values.reopenDays}
          onInput={({ currentTarget }) => onChange({ reopenDays: currentTarget.valueAsNumber })}
        />
      </label>
      <label>
        <input
          type="checkbox"
          checked={values.isAutoReply}
          onChange={({ currentTarget }) => onChange({ isAutoReply: currentTarget.checked })}
        />{' '}
        {texts.isAutoReply}
      </label>
      {values.isAutoReply && (
        <label class="field">
          {texts.autoReply}
          <textarea
            class="input"
            dir="auto"
            rows={4}
            required
            maxLength={textMax}
            value={values.autoReply}
            onInput={({ currentTarget }) => onChange({ autoReply: currentTarget.value })}
          />
        </label>
      )}
    </>
  )
}
