import { z } from 'zod'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'

export const suppressedAddress = z
  .object({
    _id: ownId('suppressed address'),
    tenantId,
    address: z.string().describe('E-mail address, in lower case.'),
    status: z.string().describe('Status code of the report that suppressed it, such as `5.1.1`.'),
    text: z.string().nullable().describe('Sentence of the mail server; null without one.'),
    messageId: z.string().nullable().describe('Id of the message that was not delivered.'),
    customerId: z.string().nullable().describe('Id of the customer with this address; null without one.'),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'SuppressedAddress',
    description: 'An address that does not exist, as its mail server reports. It gets no mail.',
  })
export type SuppressedAddress = z.infer<typeof suppressedAddress>
