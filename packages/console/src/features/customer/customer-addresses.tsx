import type { Customer, CustomerAddress } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { exactTime, shortTime } from '../../strings/times.ts'

interface CustomerAddressesProps {
  readonly store: Store
  readonly customer: Customer
}

/** The addresses of a customer beside that of the profile: mail from those that are theirs joins as theirs. */
export function CustomerAddresses({
  store,
  customer: { _id, updatedAt },
}: CustomerAddressesProps): JSX.Element | null {
  const [others, setOthers] = useState<readonly CustomerAddress[]>([])
  useEffect(() => {
    let isOver = false
    store.crm.customers.get(_id).then(
      ({ addresses }) => {
        if (!isOver) setOthers(addresses.filter(({ source }) => source !== 'profile'))
      },
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [_id, updatedAt])
  if (others.length === 0) return null
  return (
    <>
      <h3>{more.addresses.title}</h3>
      <ul class="addresses">
        {others.map(({ address, since, until }) => (
          <li key={address} dir="auto" title={exactTime(since)}>
            {until === null ? address : more.addresses.former(address, shortTime(until))}
          </li>
        ))}
      </ul>
    </>
  )
}
