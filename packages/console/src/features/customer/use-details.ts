import type { Customer, CustomerDetails } from '@crmkit/sdk'
import { useEffect, useState } from 'preact/hooks'
import type { KnownCustomer } from '../../store/conversations.ts'
import { isWhole } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'

/** What lists and events do not say of a customer; undefined until it is there, and for a customer of whom the name alone is known. */
export function useDetails(store: Store, customer: KnownCustomer | undefined): CustomerDetails | undefined {
  const whole: Customer | undefined = customer && isWhole(customer) ? customer : undefined
  const [found, setFound] = useState<CustomerDetails | undefined>(undefined)
  useEffect(() => {
    if (whole === undefined) return
    let isOver = false
    store.crm.customers.get(whole._id).then(
      (details) => {
        if (!isOver) setFound(details)
      },
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [whole?._id, whole?.updatedAt])
  return found?._id === whole?._id ? found : undefined
}
