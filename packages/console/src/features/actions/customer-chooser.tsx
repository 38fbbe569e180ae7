import type { JSX } from 'preact'
import { findCustomers } from '../../store/find-customers.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Finder } from '../../ui/finder.tsx'
import type { ChosenCustomer } from './chosen-customer.ts'

const newChoice = 'new'

interface CustomerChooserProps {
  readonly store: Store
  readonly onChoose: (chosen: ChosenCustomer) => void
}

/** Finds a customer, or offers to make a new one. */
export function CustomerChooser({ store, onChoose }: CustomerChooserProps): JSX.Element {
  return (
    <Finder
      search={(text) => findCustomers(store, text)}
      label={more.newConversation.customer}
      lastChoice={(text) => ({ id: newChoice, text: more.newConversation.newCustomer(text) })}
      onChoose={(chosen, text) => onChoose(chosen.id === newChoice ? { newText: text } : chosen)}
    />
  )
}
