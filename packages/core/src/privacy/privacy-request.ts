import { z } from 'zod'
import { successFlag } from '../contract/envelopes.ts'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { optionalLines, optionalTimestamp, requiredLines, requiredText, timestamp } from '../shared/text.ts'
import { privacyRequestStatuses, privacyRequestTypes } from './privacy-values.ts'

const textMax = 10_000

const fieldText = {
  type: 'Right that the person uses.',
  status:
    'State. A `processing` restriction is in force, and a `processing` deletion is completed by the service itself.',
  reason: 'Reason of the person; null without one.',
  details: 'Details of the person; null without any.',
  field: 'Field to rectify, in the words of the person; null for other types.',
  currentValue: 'Value that is wrong; null when the person named none.',
  requestedValue: 'Value that is right; null for other types.',
  notes: 'Notes of the tenant to the person; null without any.',
  rejectionReason: 'Reason of a rejection; null otherwise.',
  requestedAt: 'Time of the request.',
  dueAt: 'Time by which the tenant has to have done it: one month after the request.',
  processedAt: 'Time at which it was approved or rejected; null before.',
  completedAt: 'Time at which it was completed; null before.',
}

/** A request as it is stored; `isOverdue` follows from the time at which it is read. */
export const privacyRequest = z
  .object({
    _id: ownId('request'),
    tenantId,
    userId: z
      .string()
      .describe('Id of the user who made the request; a pseudonym once a deletion of the user is completed.'),
    type: z.enum(privacyRequestTypes).describe(fieldText.type),
    status: z.enum(privacyRequestStatuses).describe(fieldText.status),
    reason: z.string().nullable().describe(fieldText.reason),
    details: z.string().nullable().describe(fieldText.details),
    field: z.string().nullable().describe(fieldText.field),
    currentValue: z.string().nullable().describe(fieldText.currentValue),
    requestedValue: z.string().nullable().describe(fieldText.requestedValue),
    notes: z.string().nullable().describe(fieldText.notes),
    rejectionReason: z.string().nullable().describe(fieldText.rejectionReason),
    dueAt: timestamp.describe(fieldText.dueAt),
    isOverdue: z.boolean().describe('Whether the request is open and `dueAt` is over.'),
    processedAt: optionalTimestamp.describe(fieldText.processedAt),
    completedAt: optionalTimestamp.describe(fieldText.completedAt),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'PrivacyRequest', description: 'A request of a user about their own data.' })
export type PrivacyRequest = Omit<z.infer<typeof privacyRequest>, 'isOverdue'>

/** Source: specification 2.6. */
export const deletionRequest = z
  .object({
    id: ownId('request'),
    status: z.enum(privacyRequestStatuses).describe(fieldText.status),
    reason: z.string().nullable().describe(fieldText.reason),
    requestedAt: timestamp.describe(fieldText.requestedAt),
    dueAt: timestamp.describe(fieldText.dueAt),
    processedAt: optionalTimestamp.describe(fieldText.processedAt),
    rejectionReason: z.string().nullable().describe(fieldText.rejectionReason),
    notes: z.string().nullable().describe(fieldText.notes),
  })
  .meta({ id: 'DeletionRequest', description: 'A request of a user to delete their data.' })
export type DeletionRequest = z.infer<typeof deletionRequest>

/** Source: specification 2.7. */
export const privacyRequestSummary = z
  .object({
    id: ownId('request'),
    type: z
      .enum(['access', 'rectification', 'objection'])
      .describe('Type of the request; that of a restriction is `rectification`.'),
    requestType: z.enum(privacyRequestTypes).describe(fieldText.type),
    status: z.enum(privacyRequestStatuses).describe(fieldText.status),
    requestedAt: timestamp.describe(fieldText.requestedAt),
    dueAt: timestamp.describe(fieldText.dueAt),
  })
  .meta({ id: 'PrivacyRequestSummary', description: 'A request as its submission returns it.' })
export type PrivacyRequestSummary = z.infer<typeof privacyRequestSummary>

const confirmation = z.string().describe('Confirmation for people.')

export const deletionRequestReply = z
  .object({ success: successFlag, message: confirmation, request: deletionRequest.describe('New request.') })
  .meta({ id: 'DeletionRequestReply', description: 'A new deletion request.' })

export const summaryReply = z
  .object({
    success: successFlag,
    message: confirmation,
    request: privacyRequestSummary.describe('New request.'),
  })
  .meta({ id: 'PrivacyRequestReply', description: 'A new request.' })

export const deletionStatusReply = z
  .object({
    success: successFlag,
    hasRequest: z.boolean().describe('Whether the user has made a deletion request.'),
    request: deletionRequest.optional().describe('Latest deletion request; present only when there is one.'),
  })
  .meta({ id: 'DeletionStatus', description: 'State of the deletion requests of the signed-in user.' })

const reason = optionalLines(textMax).describe(fieldText.reason)
const details = optionalLines(textMax).describe(fieldText.details)

export const deletionRequestBody = z
  .strictObject({ reason })
  .meta({ id: 'RequestDeletion', description: 'A request to delete the data of the signed-in user.' })

export const accessRequestBody = z
  .strictObject({ reason, details })
  .meta({ id: 'RequestAccess', description: 'A request for information about the own data.' })

export const rectificationRequestBody = z
  .strictObject({
    field: requiredText(200).describe('Field to rectify, in your own words.'),
    currentValue: optionalLines(textMax).describe(fieldText.currentValue),
    requestedValue: requiredLines(textMax).describe('Value that is right.'),
    reason,
  })
  .meta({ id: 'RequestRectification', description: 'A request to rectify wrong data.' })

const requiredReason = requiredLines(textMax).describe('Reason of the person.')

export const restrictionRequestBody = z
  .strictObject({ reason: requiredReason, details })
  .meta({ id: 'RequestRestriction', description: 'A request to store the own data without processing it.' })

export const objectionRequestBody = z
  .strictObject({ reason: requiredReason, details })
  .meta({ id: 'RequestObjection', description: 'An objection to the processing of the own data.' })

const notes = optionalLines(textMax).describe(fieldText.notes)

export const decisionBody = z
  .strictObject({ notes })
  .meta({ id: 'DecidePrivacyRequest', description: 'A decision on a request.' })

export const rejectionBody = z
  .strictObject({
    rejectionReason: requiredLines(textMax).describe('Reason of the rejection.'),
    notes,
  })
  .meta({ id: 'RejectPrivacyRequest', description: 'A rejection of a request.' })
