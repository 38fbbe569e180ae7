import type { JSX } from 'preact'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import type { ChosenCustomer } from './chosen-customer.ts'
import { FoundCustomers } from './found-customers.tsx'

const newChoice = 'new'

interface CustomerChooserProps {
  readonly store: Store
  readonly onChoose: (chosen: ChosenCustomer) => void
}

/** Finds a customer, or offers to make a new one. */
export function CustomerChooser({ store, onChoose }: CustomerChooserProps): JSX.Element {
  return (
    <FoundCustomers
      store={store}
      label={more.newConversation.customer}
      lastChoice={(text) => ({ id: newChoice, text: more.newConversation.newCustomer(text) })}
      onChoose={(chosen, text) => onChoose(chosen.id === newChoice ? { newText: text } : chosen)}
    />
  )
}
