import type { Customer, CustomerDetails } from '@crmkit/sdk'
import { useEffect, useState } from 'preact/hooks'
import type { KnownCustomer } from '../../store/conversations.ts'
import { isWhole } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'

/**
 * The customer as `GET /customers/{id}` returns it, with more than lists and events have; undefined until it is there, and for
 * one of whom the name alone is known.
 */
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
