import { z } from 'zod'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { labelList } from '../shared/labels.ts'
import { referenceTo } from '../shared/reference.ts'
import { optionalLines, optionalTimestamp } from '../shared/text.ts'
import { callDirections, callKinds, callStatuses } from './call-values.ts'
import { phoneNumber } from './phone-number.ts'

const fieldText = {
  direction: 'Direction, seen from the team.',
  from: 'Number of the caller in E.164 form',
  to: 'Number that is called, in E.164 form such as `+15551234567`',
  customerId: 'Id of the customer; null when there is none.',
  conversationId: 'Id of the conversation that the call belongs to; null when there is none.',
  agentId: 'Id of the user who makes or takes the call; null when nobody does.',
  notes: 'Notes of the team; null without any.',
  tags: 'Tags, unique without regard to case. At most 50.',
  rating: 'Rating by the team, 1 to 5; null without one.',
}

const rating = z.int().min(1).max(5)

export const call = z
  .object({
    _id: ownId('call'),
    tenantId,
    kind: z
      .enum(callKinds)
      .describe('Kind of activity. Calls of this service are `call`; imports bring others.'),
    externalIds: z.array(z.string()).describe('Ids of the call in other systems.'),
    callSid: z
      .string()
      .nullable()
      .describe('Id at the telephony provider; null until the provider reports the call.'),
    conversationId: z.string().nullable().describe(fieldText.conversationId),
    customerId: z.string().nullable().describe(fieldText.customerId),
    candidates: z
      .array(z.object({ _id: z.string().describe('Id of the customer.') }))
      .describe(
        'Customers who all have the number of the other side, of a call without a customer. Empty when fewer than two have it.',
      ),
    agentId: z.string().nullable().describe(fieldText.agentId),
    direction: z.enum(callDirections).describe(fieldText.direction),
    from: z.string().nullable().describe(`${fieldText.from}; null when it is not known, or was erased.`),
    to: z.string().nullable().describe(`${fieldText.to}; null when it is not known, or was erased.`),
    status: z.enum(callStatuses).describe('State. It only rises; `completed` and `failed` are both the end.'),
    failureReason: z
      .string()
      .nullable()
      .describe('Reason of a failed call in the words of the provider, such as `busy`.'),
    startedAt: optionalTimestamp.describe('Time at which it began to ring or was answered; null before.'),
    answeredAt: optionalTimestamp.describe('Time at which it was answered; null when it was not.'),
    endedAt: optionalTimestamp.describe('Time at which it ended; null before.'),
    durationSeconds: z
      .int()
      .nullable()
      .describe('Length in seconds, as the provider reports it; null before the end.'),
    recording: z
      .object({
        available: z.boolean().describe('Whether there is a recording.'),
        url: z.string().nullable().describe('Address of the recording at the provider; null without one.'),
        durationSeconds: z.int().nullable().describe('Length of the recording in seconds; null without one.'),
      })
      .describe('Recording of the call.'),
    metadata: z
      .object({
        notes: z.string().nullable().describe(fieldText.notes),
        tags: z.array(z.string()).describe(fieldText.tags),
        rating: rating.nullable().describe(fieldText.rating),
      })
      .describe('Remarks of the team.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Call', description: 'A phone call.' })
export type Call = z.infer<typeof call>
/** A call as it is stored: who else has the number is looked up when it is asked for. */
export type StoredCall = Omit<Call, 'candidates'>

const optionalReference = (to: 'customer' | 'conversation' | 'user') => referenceTo(to).nullable().optional()

export const createCallBody = z
  .strictObject({
    to: phoneNumber.describe(`${fieldText.to}.`),
    from: phoneNumber.nullable().optional().describe(`${fieldText.from}.`),
    direction: z
      .enum(callDirections)
      .nullable()
      .optional()
      .describe(`${fieldText.direction} Default: outbound.`),
    customerId: optionalReference('customer').describe(fieldText.customerId),
    conversationId: optionalReference('conversation').describe(fieldText.conversationId),
    agentId: optionalReference('user').describe(`${fieldText.agentId} Default: the signed-in user.`),
  })
  .meta({ id: 'CreateCall', description: 'A new call.' })
export type CreateCallBody = z.output<typeof createCallBody>

export const callMetadataBody = z
  .strictObject({
    notes: optionalLines(10_000).describe(fieldText.notes),
    tags: labelList.nullable().optional().describe(fieldText.tags),
    rating: rating.nullable().optional().describe(fieldText.rating),
  })
  .meta({ id: 'CallMetadata', description: 'Changes of the remarks. An absent field keeps its value.' })
export type CallMetadataBody = z.output<typeof callMetadataBody>

export const capabilityTokenBody = z
  .strictObject({
    customerPhone: phoneNumber.describe('Number that the browser may call, in E.164 form.'),
    agentId: optionalReference('user').describe(
      'Id of the user who calls. Default: the signed-in user; only admins name somebody else.',
    ),
  })
  .meta({
    id: 'CreateCapabilityToken',
    description: 'A request for a token that lets a browser make one call.',
  })

export const capabilityToken = z
  .object({
    capabilityToken: z
      .string()
      .describe('Access token for the provider’s browser library. It lives 10 minutes.'),
    clientName: z.string().describe('Name of the browser at the provider: letters, digits and underscores.'),
    provider: z
      .enum(['twilio', 'local'])
      .describe('`local`: signed with a development key, because no provider is set up.'),
  })
  .meta({ id: 'CapabilityToken', description: 'A token that lets a browser make and take calls.' })
