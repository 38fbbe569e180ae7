import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { type OwnRequestType, requestOwn } from '../../api/privacy.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { styles } from './settings-styles.ts'
import { TextField } from './text-field.tsx'

const textMax = 10_000
const noWords = { reason: '', details: '', field: '', currentValue: '', requestedValue: '' }

/** A request about the own data that is no erasure. */
export function OwnRequest({ store }: { readonly store: Store }): JSX.Element {
  const [type, setType] = useState<OwnRequestType>('access')
  const [words, setWords] = useState(noWords)
  const { isSending, problem, send } = useSending()
  const id = useId()
  const texts = more.privacy.own
  const change = (name: keyof typeof noWords) => (text: string) => setWords({ ...words, [name]: text })
  const ask = async () => {
    const { reason, details, field, currentValue, requestedValue } = words
    const body =
      type === 'rectification'
        ? { field, currentValue: currentValue.trim() || null, requestedValue, reason: reason.trim() || null }
        : { reason: reason.trim() || null, details: details.trim() || null }
    await requestOwn(store.crm, type, body)
    setWords(noWords)
  }
  const isReasonNeeded = type === 'restriction' || type === 'objection'
  return (
    <form
      style={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send(ask, texts.sent)
      }}
    >
      <p>{texts.otherHint}</p>
      <div class="field">
        <label for={id}>{texts.type}</label>
        <select
          id={id}
          class="input"
          value={type}
          onChange={({ currentTarget }) => setType(currentTarget.value as OwnRequestType)}
        >
          {Object.entries(texts.kinds).map(([kind, text]) => (
            <option key={kind} value={kind}>
              {text}
            </option>
          ))}
        </select>
      </div>
      {type === 'rectification' && (
        <>
          <TextField
            label={texts.field}
            value={words.field}
            isRequired
            maxLength={200}
            onInput={change('field')}
          />
          <TextField
            label={texts.currentValue}
            value={words.currentValue}
            maxLength={textMax}
            onInput={change('currentValue')}
          />
          <TextField
            label={texts.requestedValue}
            value={words.requestedValue}
            isRequired
            maxLength={textMax}
            onInput={change('requestedValue')}
          />
        </>
      )}
      <TextField
        label={isReasonNeeded ? texts.neededReason : texts.reason}
        value={words.reason}
        rows={3}
        isRequired={isReasonNeeded}
        maxLength={textMax}
        onInput={change('reason')}
      />
      {type !== 'rectification' && (
        <TextField
          label={texts.details}
          value={words.details}
          rows={3}
          maxLength={textMax}
          onInput={change('details')}
        />
      )}
      <ProblemText problem={problem} />
      <p>
        <Button type="submit" isDisabled={isSending}>
          {texts.send}
        </Button>
      </p>
    </form>
  )
}
