import { z } from 'zod'
import { defineOperation, session } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { exportFormats } from '../shared/export-formats.ts'
import { pageQuery } from '../shared/page.ts'
import { referenceTo } from '../shared/reference.ts'
import {
  accessRequestBody,
  decisionBody,
  deletionRequestBody,
  deletionRequestReply,
  deletionStatusReply,
  objectionRequestBody,
  privacyRequest,
  rectificationRequestBody,
  rejectionBody,
  restrictionRequestBody,
  summaryReply,
} from './privacy-request.ts'
import { privacyRequestStatuses, privacyRequestTypes } from './privacy-values.ts'

const path = '/api/data-privacy'
const auth = session()
const created = 'privacyRequest.created'

export const exportOwnData = defineOperation({
  id: 'privacy.export',
  method: 'GET',
  path: `${path}/export`,
  auth,
  audit: 'user.exported',
  summary: 'Download all personal data of the signed-in user',
  description:
    'The file contains the user, their memberships and sessions, and what they made or were assigned in this tenant. It contains no token and no hash, and nothing that is personal data of a customer alone. ' +
    "The format is JSON, or CSV with the columns `section,record,field,value`. A CSV cell that a spreadsheet would run as a formula begins with `'`.",
  request: {
    query: z.object({ format: z.enum(exportFormats).default('json').describe('Format of the file.') }),
  },
  download: ['application/json', 'text/csv'],
  status: 200,
  response: z.unknown(),
})

export const requestDeletion = defineOperation({
  id: 'privacy.requestDeletion',
  method: 'POST',
  path: `${path}/deletion-request`,
  auth,
  audit: created,
  summary: 'Ask the tenant to delete the data of the signed-in user',
  description: 'A second request is refused with 409 while one is pending or processing.',
  request: { body: deletionRequestBody },
  status: 201,
  response: deletionRequestReply,
})

export const getDeletionStatus = defineOperation({
  id: 'privacy.deletionStatus',
  method: 'GET',
  path: `${path}/deletion-request/status`,
  auth,
  summary: 'Get the latest deletion request of the signed-in user',
  status: 200,
  response: deletionStatusReply,
})

export const cancelDeletion = defineOperation({
  id: 'privacy.cancelDeletion',
  method: 'POST',
  path: `${path}/deletion-request/cancel`,
  auth,
  audit: 'privacyRequest.cancelled',
  summary: 'Cancel the deletion request of the signed-in user',
  description: 'Only a pending request can be cancelled.',
  status: 200,
  response: messageReply,
})

export const requestAccess = defineOperation({
  id: 'privacy.requestAccess',
  method: 'POST',
  path: `${path}/access-request`,
  auth,
  audit: created,
  summary: 'Ask the tenant which data of the signed-in user it processes',
  request: { body: accessRequestBody },
  status: 201,
  response: summaryReply,
})

export const requestRectification = defineOperation({
  id: 'privacy.requestRectification',
  method: 'POST',
  path: `${path}/rectification-request`,
  auth,
  audit: created,
  summary: 'Ask the tenant to rectify wrong data of the signed-in user',
  request: { body: rectificationRequestBody },
  status: 201,
  response: summaryReply,
})

export const requestRestriction = defineOperation({
  id: 'privacy.requestRestriction',
  method: 'POST',
  path: `${path}/restriction-request`,
  auth,
  audit: created,
  summary: 'Ask the tenant to restrict the processing of the signed-in user’s data',
  description:
    'The response names its type `rectification`, and `restriction` in `requestType`. While an approved restriction holds, the user is left out of automatic assignment, of figures about single agents, and of the bodies of events, which then hold ids only.',
  request: { body: restrictionRequestBody },
  status: 201,
  response: summaryReply,
})

export const requestObjection = defineOperation({
  id: 'privacy.requestObjection',
  method: 'POST',
  path: `${path}/objection-request`,
  auth,
  audit: created,
  summary: 'Object to the processing of the signed-in user’s data',
  request: { body: objectionRequestBody },
  status: 201,
  response: summaryReply,
})

const tenantPath = '/api/tenant/privacy-requests'
const decider = session('admin')
const params = byId('request')

export const listPrivacyRequests = defineOperation({
  id: 'privacyRequests.list',
  method: 'GET',
  path: tenantPath,
  auth: decider,
  summary: 'List the privacy requests of the tenant’s users: open ones first, and of these the overdue ones',
  request: {
    query: z.object({
      status: z.enum(privacyRequestStatuses).optional().describe('Only requests in this state.'),
      type: z.enum(privacyRequestTypes).optional().describe('Only requests of this type.'),
      userId: referenceTo('user', z.string().min(1).max(128))
        .optional()
        .describe('Only requests of this user.'),
      ...pageQuery(20),
    }),
  },
  status: 200,
  response: listOf(privacyRequest),
})

export const approvePrivacyRequest = defineOperation({
  id: 'privacyRequests.approve',
  method: 'POST',
  path: `${tenantPath}/{id}/approve`,
  auth: decider,
  audit: 'privacyRequest.approved',
  summary: 'Approve a pending privacy request',
  description:
    'A deletion begins immediately and cannot be undone: the sessions of the user end, the user is removed, and in the data that stays a pseudonym takes the place of the user. The last owner cannot be deleted. A restriction holds until it is completed.',
  request: { params, body: decisionBody },
  status: 200,
  response: dataOf(privacyRequest),
  emits: ['user.updated', 'user.deleted'],
})

export const rejectPrivacyRequest = defineOperation({
  id: 'privacyRequests.reject',
  method: 'POST',
  path: `${tenantPath}/{id}/reject`,
  auth: decider,
  audit: 'privacyRequest.rejected',
  summary: 'Reject a privacy request',
  description: 'A deletion that was approved can no longer be rejected.',
  request: { params, body: rejectionBody },
  status: 200,
  response: dataOf(privacyRequest),
  emits: ['user.updated'],
})

export const completePrivacyRequest = defineOperation({
  id: 'privacyRequests.complete',
  method: 'POST',
  path: `${tenantPath}/{id}/complete`,
  auth: decider,
  audit: 'privacyRequest.completed',
  summary: 'Complete a privacy request that was approved',
  description:
    'Completing a restriction lifts it. A deletion is completed by the service when all data is deleted.',
  request: { params, body: decisionBody },
  status: 200,
  response: dataOf(privacyRequest),
  emits: ['user.updated'],
})
