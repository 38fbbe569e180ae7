// Generated from the contract by scripts/generate.ts. Do not edit.
import type { MessageReply, Page, SuppressedAddress, SuppressedAddressesListQuery } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const suppressedAddresses = {
  list: operation<SuppressedAddressesListQuery, Page<SuppressedAddress>>({
    name: 'list',
    summary: 'List suppressed addresses, newest first',
    need: 'any',
    reply: ["_id","tenantId","address","status","text","messageId","customerId","createdAt","updatedAt"],
    fields: [
      {"name":"address","type":"text","text":"only this address, in any case","value":"address"},
    ],
    send: (crm, _id, input) => crm.suppressedAddresses.list(input),
  }),
  delete: operation<NoInput, MessageReply>({
    name: 'delete',
    summary: 'Delete a suppressed address: mail is sent to it again',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.suppressedAddresses.delete(id),
  }),
}
