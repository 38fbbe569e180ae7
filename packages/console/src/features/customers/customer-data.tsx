import type { CustomerDetails } from '@crmkit/sdk'
import type { ComponentChildren, JSX } from 'preact'
import { isAdmin } from '../../store/roles.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { exactTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { ExportButtons } from '../../ui/export-buttons.tsx'

interface CustomerDataProps {
  readonly store: Store
  readonly customer: CustomerDetails
  /** Asks first. */
  readonly onErase: () => void
}

/** Further stored values of a customer, for admins a file with everything, and the erasure. */
export function CustomerData({ store, customer, onErase }: CustomerDataProps): JSX.Element {
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
      {isAdmin(store) && (
        <>
          <p>{more.export.hint}</p>
          <ExportButtons name={_id} read={(format) => store.crm.customers.export(_id, { format })} />
        </>
      )}
      {store.me.role !== 'viewer' && (
        <p>
          <Button isSmall onClick={onErase}>
            {t.actions.eraseCustomer}
          </Button>
        </p>
      )}
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
