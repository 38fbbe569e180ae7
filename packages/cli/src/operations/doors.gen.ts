// Generated from the contract by scripts/generate.ts. Do not edit.
import type { Door, DoorsListQuery, Page } from '@crmkit/sdk'
import { operation } from './operation.ts'

export const doors = {
  list: operation<DoorsListQuery, Page<Door>>({
    name: 'list',
    summary: 'List the doors that do not work, newest first',
    need: 'any',
    reply: ["_id","tenantId","door","part","inboxId","integrationId","reason","since","waiting","createdAt","updatedAt"],
    fields: [],
    send: (crm, _id, input) => crm.doors.list(input),
  }),
}
