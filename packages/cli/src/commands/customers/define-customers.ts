import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineCreateCustomer } from './create.ts'
import { defineListCustomers } from './list.ts'

export function defineCustomers(customers: CommandUnknownOpts): void {
  customers.addHelpText('after', examples('crm customers list --search ada'))
  defineCreateCustomer(customers)
  defineListCustomers(customers)
}
