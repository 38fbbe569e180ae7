import type { Inbox } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { widgetSettings } from '../../api/inbox-settings.ts'
import { putInbox } from '../../store/put-inbox.ts'
import type { Store } from '../../store/store.ts'
import { deWidgetTexts } from '../../strings/de-widget-texts.ts'
import { more } from '../../strings/more.ts'
import { isGerman } from '../../strings/strings.ts'
import { widgetTexts } from '../../strings/widget-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Chooser } from '../../ui/chooser.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { useFocus } from '../../ui/use-focus.ts'
import { styles } from './settings-styles.ts'
import { unknownValues, valuesOf } from './text-values.ts'

interface WidgetTextsFormProps {
  readonly store: Store
  readonly inbox: Inbox
  readonly onSaved: () => void
}

const textsMax = 50
const textLengthMax = 200
const usual: Readonly<Record<string, string>> = isGerman ? deWidgetTexts : widgetTexts

/** The texts of the chat that the team replaces: the inside of a dialog. */
export function WidgetTextsForm({ store, inbox, onSaved }: WidgetTextsFormProps): JSX.Element {
  const [own, setOwn] = useState<Readonly<Record<string, string>>>(() => inbox.widget.texts)
  const [added, setAdded] = useState<string>()
  const [isChoosing, setChoosing] = useState(false)
  const { isSending, problem, send } = useSending()
  const texts = more.inboxForms.ownTexts
  const save = async () => {
    // A text that was emptied is the usual one again.
    const kept = Object.entries(own).filter(([, text]) => text.trim() !== '')
    const widget = { ...widgetSettings(inbox), texts: Object.fromEntries(kept) }
    putInbox(store, await store.crm.inboxes.update(inbox._id, { widget }))
    onSaved()
  }
  const isFull = Object.keys(own).length >= textsMax
  const others = Object.entries(usual).filter(([key]) => !Object.hasOwn(own, key))
  return (
    <form
      style={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send(save, more.inboxForms.saved(inbox.name))
      }}
    >
      <p class="hint">{texts.hint}</p>
      {Object.entries(own).map(([key, text]) => (
        <OwnText
          key={key}
          name={usual[key] ?? key}
          text={text}
          isNew={key === added}
          onInput={(value) => setOwn({ ...own, [key]: value })}
          onRemove={() => setOwn(Object.fromEntries(Object.entries(own).filter(([name]) => name !== key)))}
        />
      ))}
      {isChoosing && (
        <Chooser
          label={texts.choose}
          choices={others.map(([id, text]) => ({ id, text }))}
          onChoose={(key) => {
            setOwn({ ...own, [key]: usual[key] ?? '' })
            setAdded(key)
            setChoosing(false)
          }}
        />
      )}
      {isFull && <p class="hint">{texts.full}</p>}
      <ProblemText problem={problem} />
      <p style={styles.actions}>
        <Button isDisabled={isFull || isChoosing} onClick={() => setChoosing(true)}>
          {texts.add}
        </Button>
        <Button type="submit" kind="primary" isDisabled={isSending}>
          {more.settings.save}
        </Button>
      </p>
    </form>
  )
}

interface OwnTextProps {
  /** The usual text. */
  readonly name: string
  readonly text: string
  /** It was chosen last, and gets the keyboard. */
  readonly isNew: boolean
  readonly onInput: (text: string) => void
  readonly onRemove: () => void
}

function OwnText({ name, text, isNew, onInput, onRemove }: OwnTextProps): JSX.Element {
  const texts = more.inboxForms.ownTexts
  const values = valuesOf(name)
  const unknown = unknownValues(name, text)
  const field = useFocus(isNew)
  return (
    <fieldset style={styles.choices} aria-label={name}>
      <label class="field">
        {name}
        <input
          ref={field}
          class="input"
          dir="auto"
          maxLength={textLengthMax}
          value={text}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      </label>
      {values.length > 0 && <p class="hint">{texts.values(values.join(' '))}</p>}
      {unknown.length > 0 && (
        <p class="field-error" role="alert">
          {texts.unknown(unknown.join(' '))}
        </p>
      )}
      <div>
        <Button isSmall onClick={onRemove}>
          {texts.remove}
        </Button>
      </div>
    </fieldset>
  )
}
