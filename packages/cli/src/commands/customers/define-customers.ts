import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineCreateCustomer } from './create.ts'
import { defineDeleteCustomer } from './delete.ts'
import { defineExportCustomer } from './export.ts'
import { defineGetCustomer } from './get.ts'
import { defineListCustomers } from './list.ts'
import { defineMergeCustomers } from './merge.ts'
import { defineUpdateCustomer } from './update.ts'

export function defineCustomers(customers: CommandUnknownOpts): void {
  customers.addHelpText('after', examples('crm customers list --search ada'))
  defineCreateCustomer(customers)
  defineListCustomers(customers)
  defineGetCustomer(customers)
  defineUpdateCustomer(customers)
  defineMergeCustomers(customers)
  defineExportCustomer(customers)
  defineDeleteCustomer(customers)
}
