import {
  deletionRequestOf,
  newPrivacyRequest,
  type requestAccess,
  type requestDeletion,
  type requestObjection,
  type requestRectification,
  type requestRestriction,
  summaryOf,
} from '@crmkit/core'
import { userOf } from '../caller.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { assertNoOpenDeletion } from './deletion-requests.ts'

type Fields = Omit<Parameters<typeof newPrivacyRequest>[0], 'userId'>

/** Returns a new request of the signed-in user with the change that stores it. */
function requested(ctx: HandlerContext, fields: Fields) {
  const { ids, now, tenantId } = ctx
  const id = ids.next('prq')
  const request = newPrivacyRequest({ ...fields, userId: userOf(ctx)._id }, { id, tenantId, now })
  return {
    request,
    outcome: {
      change: {
        writes: [{ op: 'insert' as const, kind: 'privacyRequests' as const, row: request }],
        events: [],
      },
      audit: { action: 'privacyRequest.created' as const, target: { type: 'privacyRequest', _id: id } },
    },
  }
}

const confirmation = 'Your request was sent to the administrators of your organisation'

export const handleRequestDeletion: Handler<typeof requestDeletion> = async (ctx, { body }) => {
  await assertNoOpenDeletion(ctx)
  const { request, outcome } = requested(ctx, { type: 'deletion', ...body })
  return {
    ...outcome,
    reply: { success: true, message: confirmation, request: deletionRequestOf(request) },
  }
}

function submitted(ctx: HandlerContext, fields: Fields) {
  const { request, outcome } = requested(ctx, fields)
  const reply = { success: true as const, message: confirmation, request: summaryOf(request) }
  return { ...outcome, reply }
}

export const handleRequestAccess: Handler<typeof requestAccess> = async (ctx, { body }) =>
  submitted(ctx, { type: 'access', ...body })

export const handleRequestRectification: Handler<typeof requestRectification> = async (ctx, { body }) =>
  submitted(ctx, { type: 'rectification', ...body })

export const handleRequestRestriction: Handler<typeof requestRestriction> = async (ctx, { body }) =>
  submitted(ctx, { type: 'restriction', ...body })

export const handleRequestObjection: Handler<typeof requestObjection> = async (ctx, { body }) =>
  submitted(ctx, { type: 'objection', ...body })
