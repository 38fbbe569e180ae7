import { z } from 'zod'
import { defineOperation, session, sessionOrKey } from '../contract/define-operation.ts'
import { listOf, messageReply } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery } from '../shared/page.ts'
import { suppressedAddress } from './suppressed-address.ts'

export const listSuppressedAddresses = defineOperation({
  id: 'suppressedAddresses.list',
  method: 'GET',
  path: '/api/v1/suppressed-addresses',
  auth: sessionOrKey('read:conversations'),
  summary: 'List suppressed addresses, newest first',
  description:
    'A report that an address does not exist (5.1.x or 5.2.1) suppresses it, when it is about a mail of the tenant. A later mail to it is not sent: its recipient is `suppressed`.',
  request: {
    query: z.object({
      address: z.string().min(1).max(254).optional().describe('Only this address, in any case.'),
      ...pageQuery(20),
    }),
  },
  status: 200,
  response: listOf(suppressedAddress),
})

export const deleteSuppressedAddress = defineOperation({
  id: 'suppressedAddresses.delete',
  method: 'DELETE',
  path: '/api/v1/suppressed-addresses/{id}',
  auth: session('admin'),
  audit: 'suppressedAddress.deleted',
  summary: 'Delete a suppressed address: mail is sent to it again',
  request: { params: byId('suppressed address') },
  status: 200,
  response: messageReply,
})
