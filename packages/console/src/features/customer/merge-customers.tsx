import type { Customer } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { profileFields, profileValue } from '../../store/customer-form.ts'
import { findCustomers } from '../../store/find-customers.ts'
import { nameOfCustomer } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { Finder } from '../../ui/finder.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { countConversations } from './count-conversations.ts'
import type { CustomerDialogProps } from './customer-dialog.ts'

/** Chooses a second customer, compares both and merges them: the inside of its dialog. */
export function MergeCustomersContent(props: CustomerDialogProps): JSX.Element {
  const { store, customer } = props
  const [other, setOther] = useState<Customer | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  if (other !== undefined) return <Comparison {...props} other={other} />
  return (
    <>
      <p dir="auto">
        <strong>{nameOfCustomer(customer)}</strong>
      </p>
      <Finder
        search={async (text) => (await findCustomers(store, text)).filter(({ id }) => id !== customer._id)}
        label={more.merge.choose}
        onChoose={({ id }) =>
          store.crm.customers.get(id).then(setOther, (error) => setProblem(problemOf(error)))
        }
      />
      <ProblemText problem={problem} />
    </>
  )
}

interface ComparisonProps extends CustomerDialogProps {
  readonly other: Customer
}

function Comparison({ store, customer, other, onClose }: ComparisonProps): JSX.Element {
  const [isSwapped, setSwapped] = useState(false)
  const [kept, merged] = isSwapped ? [other, customer] : [customer, other]
  const [chosen, setChosen] = useState<readonly MergedField[]>([])
  const { isSending, problem, send } = useSending()
  const swap = () => {
    setSwapped(!isSwapped)
    setChosen([])
  }
  const merge = async () => {
    const prefer = Object.fromEntries(chosen.map((field) => [field, 'source' as const]))
    const body = { sourceId: merged._id, ...(chosen.length > 0 && { prefer }) }
    const result = await store.crm.customers.merge(kept._id, body)
    store.conversations.customers.put(result)
    void store.conversations.customerDeleted(merged._id)
    onClose()
  }
  return (
    <>
      <p dir="auto">{more.merge.hint(nameOfCustomer(kept), nameOfCustomer(merged))}</p>
      <div class="comparison">
        <table>
          <thead>
            <tr>
              <th scope="col">{more.merge.field}</th>
              <th scope="col">{more.merge.kept}</th>
              <th scope="col">{more.merge.other}</th>
              <th scope="col">{more.merge.result}</th>
            </tr>
          </thead>
          <tbody>
            {mergedFields.map((field) => (
              <Row
                key={field}
                name={field === 'tier' ? more.edit.tier : more.edit.fields[field]}
                texts={[fieldValue(kept, field), fieldValue(merged, field)]}
                isOfMerged={chosen.includes(field)}
                onChoose={(isOfMerged) =>
                  setChosen([...chosen.filter((other) => other !== field), ...(isOfMerged ? [field] : [])])
                }
              />
            ))}
            <tr>
              <th scope="row">{more.customer.tags}</th>
              <td dir="auto">{kept.tags.join(', ')}</td>
              <td dir="auto">{merged.tags.join(', ')}</td>
              <td dir="auto">{[...new Set([...kept.tags, ...merged.tags])].join(', ')}</td>
            </tr>
            <Counts key={kept._id} store={store} ids={[kept._id, merged._id]} />
          </tbody>
        </table>
      </div>
      <ProblemText problem={problem} />
      <p class="dialog-buttons">
        <Button kind="primary" isDisabled={isSending} onClick={() => send(merge, more.merge.done)}>
          {more.merge.submit}
        </Button>
        <Button onClick={swap}>{more.merge.swap}</Button>
      </p>
    </>
  )
}

const mergedFields = [...profileFields, 'tier'] as const
type MergedField = (typeof mergedFields)[number]

function fieldValue(customer: Customer, field: MergedField): string {
  return field === 'tier' ? customer.tier : profileValue(customer, field)
}

interface RowProps {
  readonly name: string
  /** Of the customer who stays, and of the other one. */
  readonly texts: readonly [string, string]
  /** Whether the value of the customer who is deleted stays. */
  readonly isOfMerged: boolean
  readonly onChoose: (isOfMerged: boolean) => void
}

/** A field of both: where both have a value, one of them is chosen. A blank one takes that of the other, as the service does. */
function Row({ name, texts: [kept, merged], isOfMerged, onChoose }: RowProps): JSX.Element | null {
  const group = useId()
  if (kept === '' && merged === '') return null
  const isChoice = kept !== '' && merged !== '' && kept !== merged
  const cell = (text: string, ofMerged: boolean) =>
    isChoice ? (
      <label>
        <input
          type="radio"
          name={group}
          checked={isOfMerged === ofMerged}
          onChange={() => onChoose(ofMerged)}
        />{' '}
        {text}
        <span class="hidden-text">, {name}</span>
      </label>
    ) : (
      text
    )
  return (
    <tr>
      <th scope="row">{name}</th>
      <td dir="auto">{cell(kept, false)}</td>
      <td dir="auto">{cell(merged, true)}</td>
      <td dir="auto">{(isOfMerged && isChoice ? merged : kept) || merged}</td>
    </tr>
  )
}

function Counts({ store, ids }: { readonly store: Store; readonly ids: readonly string[] }): JSX.Element {
  const [counts, setCounts] = useState<readonly string[]>(['…', '…'])
  useEffect(() => {
    Promise.all(ids.map((id) => countConversations(store, id))).then(setCounts, () => undefined)
  }, [])
  return (
    <tr>
      <th scope="row">{more.merge.conversations}</th>
      <td>{counts[0]}</td>
      <td>{counts[1]}</td>
      <td />
    </tr>
  )
}
