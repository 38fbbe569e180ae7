// Generated from the contract by scripts/generate.ts. Do not edit.
import type { CreateCustomerNote, CustomerNote, CustomerNotesListQuery, Page } from '@crmkit/sdk'
import { operation } from './operation.ts'

export const customerNotes = {
  list: operation<CustomerNotesListQuery, Page<CustomerNote>>({
    name: 'list',
    summary: 'List the notes about a customer, newest first',
    need: 'any',
    reply: ["_id","tenantId","customerId","content","contentType","author","version","createdAt","updatedAt"],
    fields: [],
    send: (crm, id, input) => crm.customerNotes.list(id, input),
  }),
  create: operation<CreateCustomerNote, CustomerNote>({
    name: 'create',
    summary: 'Write a note about a customer',
    need: 'any',
    reply: ["_id","tenantId","customerId","content","contentType","author","version","createdAt","updatedAt"],
    fields: [
      {"name":"content","type":"text","text":"text of the note","value":"text","isRequired":true},
      {"name":"contentType","type":"text","text":"markup of content; default: text","value":"type","choices":["text","markdown"],"isNullable":true},
    ],
    example: '--content \'Prefers to be called in the morning.\'',
    send: (crm, id, input) => crm.customerNotes.create(id, input),
  }),
}
