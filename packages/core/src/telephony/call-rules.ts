import { type DomainEvent, makeEvent } from '../events/event.ts'
import type { EventType } from '../events/event-types.ts'
import type { NewResource } from '../shared/common-fields.ts'
import type { Call, CallMetadataBody, StoredCall } from './call.ts'
import type { CallStatus } from './call-values.ts'

/** `completed` and `failed` are the same height: the first end that is reported stays. */
const heights: Readonly<Record<CallStatus, number>> = {
  initiated: 0,
  ringing: 1,
  answered: 2,
  completed: 3,
  failed: 3,
}

type CallFields = Pick<StoredCall, 'direction' | 'from' | 'to'> &
  Partial<Pick<StoredCall, 'agentId' | 'customerId' | 'conversationId' | 'callSid'>>

/** Returns the number of the side that is not the team's. */
export function numberOfOther({
  direction,
  from,
  to,
}: Pick<StoredCall, 'direction' | 'from' | 'to'>): string | null {
  return direction === 'inbound' ? from : to
}

export function newCall(fields: CallFields, { id, tenantId, now }: NewResource): StoredCall {
  return {
    _id: id,
    tenantId,
    kind: 'call',
    externalIds: [],
    callSid: fields.callSid ?? null,
    conversationId: fields.conversationId ?? null,
    customerId: fields.customerId ?? null,
    agentId: fields.agentId ?? null,
    direction: fields.direction,
    from: fields.from,
    to: fields.to,
    status: 'initiated',
    failureReason: null,
    startedAt: null,
    answeredAt: null,
    endedAt: null,
    durationSeconds: null,
    recording: { available: false, url: null, durationSeconds: null },
    metadata: { notes: null, tags: [], rating: null },
    createdAt: now,
    updatedAt: now,
  }
}

/** A report of the provider about a call. Reports come in any order, and more than once. */
export interface CallReport {
  status: CallStatus
  /** Time of the report at the provider, ISO 8601. */
  at: string
  failureReason?: string | null
  durationSeconds?: number | null
}

/**
 * Returns the call after a report. The status only rises. A report that comes late leaves the status as it is and still
 * says when the call was answered or began. Returns the same object when nothing changes.
 */
export function callAfterReport(before: StoredCall, report: CallReport, now: string): StoredCall {
  const { status, at } = report
  const isHigher = heights[status] > heights[before.status]
  const hasBegun = status === 'ringing' || status === 'answered'
  const after: StoredCall = {
    ...before,
    ...(isHigher || status === before.status ? endOf(before, report) : {}),
    status: isHigher ? status : before.status,
    startedAt: before.startedAt ?? (hasBegun ? at : null),
    answeredAt: before.answeredAt ?? (status === 'answered' ? at : null),
  }
  const isChanged = Object.keys(after).some(
    (name) => after[name as keyof StoredCall] !== before[name as keyof StoredCall],
  )
  return isChanged ? { ...after, updatedAt: now } : before
}

/** Returns the fields that the report of an end sets; what an earlier report has set stays. */
function endOf(
  before: StoredCall,
  { status, at, durationSeconds, failureReason }: CallReport,
): Partial<StoredCall> {
  if (heights[status] !== heights.completed) return {}
  return {
    endedAt: before.endedAt ?? at,
    durationSeconds: before.durationSeconds ?? durationSeconds ?? null,
    failureReason: before.failureReason ?? failureReason ?? null,
  }
}

export function callAfterMetadata(before: StoredCall, body: CallMetadataBody, now: string): StoredCall {
  const { notes, tags, rating } = before.metadata
  return {
    ...before,
    metadata: {
      notes: body.notes === undefined ? notes : body.notes,
      tags: body.tags === undefined ? tags : (body.tags ?? []),
      rating: body.rating === undefined ? rating : body.rating,
    },
    updatedAt: now,
  }
}

interface CallEvent {
  call: Call
  type: Extract<EventType, `call.${string}`>
  eventId: string
  now: string
}

export function callEvent({ call, type, eventId, now }: CallEvent): DomainEvent {
  const { _id, customerId, conversationId, agentId } = call
  return makeEvent({
    id: eventId,
    type,
    now,
    subjects: [_id, customerId, conversationId, agentId],
    data: call,
  })
}
