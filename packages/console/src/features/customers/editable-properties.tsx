import type { Customer, CustomerDetails } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { faultsOf, type Problem, problemOf } from '../../api/problem.ts'
import { type CustomerForm, changesOf, formOf, profileFields, tiers } from '../../store/customer-form.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ReasonText } from '../../ui/states.tsx'
import { styles } from './customers-styles.ts'

type FieldName = (typeof profileFields)[number] | 'tier' | 'tags'

const names: readonly FieldName[] = [...profileFields, 'tier', 'tags']
/** The keyboard that a phone shows. */
const inputModes: Readonly<Record<string, 'email' | 'tel'>> = { email: 'email', phone: 'tel' }

interface PropertiesProps {
  readonly store: Store
  /** With each change of a colleague. */
  readonly customer: CustomerDetails
}

/** The properties, each a field in its place: Enter or the next field saves it, Escape takes it back. */
export function EditableProperties({ store, customer }: PropertiesProps): JSX.Element {
  return (
    <div style={styles.facts}>
      {names.map((name) => (
        <Property key={name} name={name} store={store} customer={customer} />
      ))}
    </div>
  )
}

function labelOf(name: FieldName): string {
  return name === 'tier' || name === 'tags' ? more.edit[name] : more.edit.fields[name]
}

interface PropertyProps extends PropertiesProps {
  readonly name: FieldName
}

function Property({ store, customer, name }: PropertyProps): JSX.Element {
  const { text, type, problem, conflict, save, takeBack } = useProperty(store, customer, name)
  const id = useId()
  const isWrong = problem !== undefined || conflict !== undefined
  const shared = {
    id,
    class: 'input',
    value: text,
    'aria-invalid': isWrong,
    'aria-describedby': isWrong ? `${id}-problem` : undefined,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || text === formOf(customer)[name]) return
      event.preventDefault()
      event.stopPropagation()
      takeBack()
    },
  }
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault()
        void save(text)
      }}
    >
      <label for={id}>{labelOf(name)}</label>
      {name === 'tier' ? (
        <select {...shared} onChange={({ currentTarget }) => void save(currentTarget.value)}>
          {tiers.map((tier) => (
            <option key={tier} value={tier}>
              {tier}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          dir="auto"
          autocomplete="off"
          inputMode={inputModes[name] ?? 'text'}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onBlur={() => void save(text)}
        />
      )}
      {isWrong && (
        <div id={`${id}-problem`} class="field-error" role="alert">
          {faultsOf(problem, name).join(' ') || (problem && <ReasonText reason={problem} />)}
          {conflict !== undefined && (
            <>
              <span dir="auto">{more.customers.changed(conflict)}</span>{' '}
              <Button isSmall onClick={() => void save(text, conflict)}>
                {more.customers.keepMine}
              </Button>{' '}
              <Button isSmall onClick={takeBack}>
                {more.customers.takeTheirs}
              </Button>
            </>
          )}
        </div>
      )}
    </form>
  )
}

/** The text of one field. It begins with the stored value, and follows it while nobody types here. */
function useProperty(store: Store, customer: Customer, name: FieldName) {
  const stored = formOf(customer)[name]
  /** `before`: the stored value when the person began. */
  const [typed, setTyped] = useState<{ before: string; text: string } | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const text = typed?.text ?? stored
  const isChangedElsewhere = typed !== undefined && typed.before !== stored && typed.text.trim() !== stored
  const takeBack = () => {
    setTyped(undefined)
    setProblem(undefined)
  }
  /** `seen`: the value of a colleague that the person has decided to replace. */
  const save = async (value: string, seen?: string) => {
    if (isChangedElsewhere && seen !== stored) return
    const form: CustomerForm = { ...formOf(customer), [name]: value }
    const changes = changesOf(customer, form)
    if (Object.keys(changes).length === 0) return takeBack()
    setTyped({ before: stored, text: value })
    setProblem(undefined)
    try {
      store.conversations.customers.put(await store.crm.customers.update(customer._id, changes))
      setTyped(undefined)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  return {
    text,
    problem,
    conflict: isChangedElsewhere ? stored : undefined,
    save,
    takeBack,
    type: (value: string) => setTyped({ before: typed?.before ?? stored, text: value }),
  }
}
