import type { CustomerDetails } from '@crmkit/sdk'
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { isAdmin } from '../../store/roles.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { exactTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { ProblemBox } from '../../ui/states.tsx'

interface CustomerDataProps {
  readonly store: Store
  readonly customer: CustomerDetails
}

/** Further stored values of a customer, and for admins a file with everything. */
export function CustomerData({ store, customer }: CustomerDataProps): JSX.Element {
  const { _id, externalIds, createdAt, updatedAt, customFields } = customer
  const words = more.customers.data
  const own = Object.entries(customFields)
  return (
    <>
      <dl class="facts">
        <Fact name={words.id}>{_id}</Fact>
        {externalIds.length > 0 && <Fact name={words.externalIds}>{externalIds.join(', ')}</Fact>}
        <Fact name={words.created}>{exactTime(createdAt)}</Fact>
        <Fact name={words.changed}>{exactTime(updatedAt)}</Fact>
        {own.map(([name, value]) => (
          <Fact key={name} name={name}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Fact>
        ))}
      </dl>
      {isAdmin(store) && <Download store={store} id={_id} />}
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt dir="auto">{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

function Download({ store, id }: { readonly store: Store; readonly id: string }): JSX.Element {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const read = async (format: 'json' | 'csv') => {
    setBusy(true)
    setProblem(undefined)
    try {
      const response = await store.crm.customers.export(id, { format })
      download(await response.blob(), `${id}.${format}`)
    } catch (error) {
      setProblem(problemOf(error))
    }
    setBusy(false)
  }
  return (
    <>
      <p>{more.export.hint}</p>
      {problem && <ProblemBox title={more.customers.failed} reason={problem} />}
      <p class="dialog-buttons">
        {(['json', 'csv'] as const).map((format) => (
          <Button key={format} isSmall isDisabled={isBusy} onClick={() => void read(format)}>
            {more.export[format]}
          </Button>
        ))}
      </p>
    </>
  )
}
