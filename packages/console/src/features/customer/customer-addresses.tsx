import type { CustomerAddress } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { more } from '../../strings/more.ts'
import { exactTime, shortTime } from '../../strings/times.ts'

interface CustomerAddressesProps {
  readonly addresses: readonly CustomerAddress[]
}

/** The addresses of a customer beside that of the profile: mail from those that are theirs joins as theirs. */
export function CustomerAddresses({ addresses }: CustomerAddressesProps): JSX.Element | null {
  const others = addresses.filter(({ source }) => source !== 'profile')
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
