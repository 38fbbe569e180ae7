import { handleBlockCustomer, handleUnblockCustomer } from './block-customer.ts'
import { handleCreateCustomer } from './create-customer.ts'
import { handleCreateCustomers } from './create-customers.ts'
import { handleDeleteCustomer } from './delete-customer.ts'
import { handleListMerges } from './list-merges.ts'
import { handleMergeCustomers } from './merge-customers.ts'
import { handlePutCustomerByExternalId } from './put-customer-by-external-id.ts'
import { handlePutCustomersByExternalId } from './put-customers-by-external-id.ts'
import { handleGetCustomer, handleListCustomers } from './read-customers.ts'
import { handleAddCustomerTags, handleRemoveCustomerTags } from './tag-customer.ts'
import { handleUnmergeCustomers } from './unmerge-customers.ts'
import { handleUpdateCustomer } from './update-customer.ts'

export const customerHandlers = {
  'customers.list': handleListCustomers,
  'customers.get': handleGetCustomer,
  'customers.create': handleCreateCustomer,
  'customers.createMany': handleCreateCustomers,
  'customers.putByExternalId': handlePutCustomerByExternalId,
  'customers.putMany': handlePutCustomersByExternalId,
  'customers.block': handleBlockCustomer,
  'customers.unblock': handleUnblockCustomer,
  'customers.addTags': handleAddCustomerTags,
  'customers.removeTags': handleRemoveCustomerTags,
  'customers.update': handleUpdateCustomer,
  'customers.delete': handleDeleteCustomer,
  'customers.merge': handleMergeCustomers,
  'customers.merges': handleListMerges,
  'customers.unmerge': handleUnmergeCustomers,
} as const
