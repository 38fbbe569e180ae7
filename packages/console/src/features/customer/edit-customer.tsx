import type { Customer } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import {
  type CustomerForm,
  type CustomField,
  changesOf,
  formOf,
  profileFields,
  tiers,
} from '../../store/customer-form.ts'
import { KeptForm } from '../../store/kept-form.ts'
import { more } from '../../strings/more.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { useFocus } from '../../ui/use-focus.ts'
import type { CustomerDialogProps } from './customer-dialog.ts'

/** The keyboard that a phone shows. */
const inputModes: Readonly<Record<string, 'email' | 'tel'>> = { email: 'email', phone: 'tel' }

/** The changes stay in this browser until they are saved or taken back, whatever closes the dialog. */
interface KeptCustomer {
  /** The state with which the form began: a change that arrives meanwhile must not look like one of this person. */
  readonly before: Customer
  readonly form: CustomerForm
}

/** The form of a customer's profile, tags and further fields: the inside of its dialog. */
export function EditCustomerContent({ store, customer, onClose }: CustomerDialogProps): JSX.Element {
  const kept = new KeptForm<KeptCustomer>(store.me._id, `customer:${customer._id}`)
  const [begun] = useState(() => kept.read() ?? { before: customer, form: formOf(customer) })
  const { before } = begun
  const [form, setForm] = useState(begun.form)
  // Before the paint: an Escape right behind the last letter closes the dialog before an effect would run.
  useLayoutEffect(() => {
    if (JSON.stringify(form) === JSON.stringify(formOf(before))) kept.remove()
    else kept.put({ before, form })
  }, [form])
  const { isSending, problem, send } = useSending()
  const first = useFocus(true)
  const save = async () => {
    const changes = changesOf(before, form)
    if (Object.keys(changes).length > 0) {
      store.conversations.customers.put(await store.crm.customers.update(before._id, changes))
    }
    kept.remove()
    onClose()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(save, more.edit.saved)
      }}
    >
      {profileFields.map((field, index) => (
        <label key={field} class="field">
          {more.edit.fields[field]}
          <input
            class="input"
            dir="auto"
            inputMode={inputModes[field] ?? 'text'}
            ref={index === 0 ? first : null}
            value={form[field]}
            onInput={({ currentTarget }) => setForm({ ...form, [field]: currentTarget.value })}
          />
        </label>
      ))}
      <label class="field">
        {more.edit.tier}
        <select
          class="input"
          value={form.tier}
          onChange={({ currentTarget }) => setForm({ ...form, tier: currentTarget.value })}
        >
          {tiers.map((tier) => (
            <option key={tier} value={tier}>
              {tier}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {more.edit.tags}
        <input
          class="input"
          dir="auto"
          value={form.tags}
          onInput={({ currentTarget }) => setForm({ ...form, tags: currentTarget.value })}
        />
      </label>
      <CustomFields fields={form.custom} onChange={(custom) => setForm({ ...form, custom })} />
      <ProblemText problem={problem} />
      <Button kind="primary" type="submit" isDisabled={isSending}>
        {more.edit.save}
      </Button>
    </form>
  )
}

interface CustomFieldsProps {
  readonly fields: readonly CustomField[]
  readonly onChange: (fields: readonly CustomField[]) => void
}

function CustomFields({ fields, onChange }: CustomFieldsProps): JSX.Element {
  const set = (index: number, change: Partial<CustomField>) =>
    onChange(fields.map((field, at) => (at === index ? { ...field, ...change } : field)))
  return (
    <fieldset class="custom-fields">
      <legend>{more.edit.custom}</legend>
      <p class="hint">{more.edit.customHint}</p>
      {fields.map(({ name, value }, index) => (
        <div key={index} class="custom-field">
          <input
            class="input"
            dir="auto"
            aria-label={more.edit.name}
            placeholder={more.edit.name}
            value={name}
            onInput={({ currentTarget }) => set(index, { name: currentTarget.value })}
          />
          <input
            class="input"
            dir="auto"
            aria-label={more.edit.value(name)}
            value={value}
            onInput={({ currentTarget }) => set(index, { value: currentTarget.value })}
          />
          <IconButton
            icon="close"
            label={more.edit.remove(name)}
            onClick={() => onChange(fields.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button isSmall onClick={() => onChange([...fields, { name: '', value: '' }])}>
        {more.edit.add}
      </Button>
    </fieldset>
  )
}
