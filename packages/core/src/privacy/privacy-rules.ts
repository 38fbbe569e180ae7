import { invalidState } from '../contract/failure.ts'
import type { NewResource } from '../shared/common-fields.ts'
import type { DeletionRequest, PrivacyRequest, PrivacyRequestSummary } from './privacy-request.ts'
import type { PrivacyRequestStatus } from './privacy-values.ts'

type Words = 'reason' | 'details' | 'field' | 'currentValue' | 'requestedValue'
type RequestFields = Pick<PrivacyRequest, 'type' | 'userId'> & {
  [F in Words]?: string | null | undefined
}

/** Returns the same day of the next month, or the last day of it where it is shorter. */
export function oneMonthAfter(time: string): string {
  const date = new Date(time)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + 1)
  // A day that the next month does not have overflows into the month after it.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.toISOString()
}

export function newPrivacyRequest(fields: RequestFields, { id, tenantId, now }: NewResource): PrivacyRequest {
  return {
    _id: id,
    tenantId,
    userId: fields.userId,
    type: fields.type,
    status: 'pending',
    reason: fields.reason ?? null,
    details: fields.details ?? null,
    field: fields.field ?? null,
    currentValue: fields.currentValue ?? null,
    requestedValue: fields.requestedValue ?? null,
    notes: null,
    rejectionReason: null,
    dueAt: oneMonthAfter(now),
    processedAt: null,
    completedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** The states that a person can move a request to. Source: contract 6. */
const nextStatuses: Readonly<Record<PrivacyRequestStatus, readonly PrivacyRequestStatus[]>> = {
  pending: ['processing', 'rejected', 'cancelled'],
  processing: ['completed', 'rejected'],
  completed: [],
  rejected: [],
  cancelled: [],
}

function allowedStatuses({ type, status }: PrivacyRequest): readonly PrivacyRequestStatus[] {
  // The job that deletes the data completes the request: nobody can stop it half-way.
  if (type === 'deletion' && status === 'processing') return []
  return nextStatuses[status].filter((next) => next !== 'cancelled' || type === 'deletion')
}

/** Throws INVALID_STATE for a move that the states do not allow. */
export function assertPrivacyRequestMove(before: PrivacyRequest, to: PrivacyRequestStatus): void {
  const allowed = allowedStatuses(before)
  if (allowed.includes(to)) return
  const message = `A ${before.type} request that is ${before.status} cannot become ${to}`
  throw invalidState(message, before.status, allowed)
}

interface Decision {
  notes?: string | null | undefined
  rejectionReason?: string
}

/** Returns the fields that a move to another state changes. Throws INVALID_STATE. */
export function movedPrivacyRequest(
  before: PrivacyRequest,
  to: PrivacyRequestStatus,
  { notes, rejectionReason, now }: Decision & { now: string },
): Partial<PrivacyRequest> {
  assertPrivacyRequestMove(before, to)
  return {
    status: to,
    ...(notes !== undefined && { notes }),
    ...(rejectionReason !== undefined && { rejectionReason }),
    ...((to === 'processing' || to === 'rejected') && { processedAt: now }),
    ...(to === 'completed' && { completedAt: now }),
    updatedAt: now,
  }
}

export function deletionRequestOf(request: PrivacyRequest): DeletionRequest {
  const { _id: id, status, reason, createdAt: requestedAt, dueAt } = request
  const { processedAt, rejectionReason, notes } = request
  return { id, status, reason, requestedAt, dueAt, processedAt, rejectionReason, notes }
}

export function summaryOf(request: PrivacyRequest): PrivacyRequestSummary {
  const { _id: id, type: requestType, status, createdAt: requestedAt, dueAt } = request
  return { id, type: summaryTypeOf(request), requestType, status, requestedAt, dueAt }
}

/** A restriction is called rectification. Source: specification 2.7. */
function summaryTypeOf({ type }: PrivacyRequest): PrivacyRequestSummary['type'] {
  if (type === 'deletion') throw new TypeError('a deletion request has a form of its own')
  return type === 'restriction' ? 'rectification' : type
}
