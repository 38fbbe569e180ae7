import { describe, expect, it } from 'vitest'
import { Failure } from '../contract/failure.ts'
import type { PrivacyRequest } from './privacy-request.ts'
import { movedPrivacyRequest, newPrivacyRequest, oneMonthAfter, summaryOf } from './privacy-rules.ts'
import {
  type PrivacyRequestStatus,
  type PrivacyRequestType,
  privacyRequestStatuses,
  privacyRequestTypes,
} from './privacy-values.ts'

const now = '2026-01-31T09:30:00.000Z'
const request = (type: PrivacyRequestType, status: PrivacyRequestStatus): PrivacyRequest => ({
  ...newPrivacyRequest({ type, userId: 'usr_1' }, { id: 'prq_1', tenantId: 'ten_1', now }),
  status,
})

/** The moves of contract 6, entered a second time. */
function allowed(type: PrivacyRequestType, from: PrivacyRequestStatus): PrivacyRequestStatus[] {
  if (from === 'pending') {
    return type === 'deletion' ? ['processing', 'rejected', 'cancelled'] : ['processing', 'rejected']
  }
  return from === 'processing' && type !== 'deletion' ? ['completed', 'rejected'] : []
}

function outcomeOf(before: PrivacyRequest, to: PrivacyRequestStatus) {
  try {
    return movedPrivacyRequest(before, to, { now })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { code: error.code, details: error.details }
  }
}

describe.each(privacyRequestTypes)('a request of type %s', (type) => {
  it.each(privacyRequestStatuses)(
    'moves from %s only to the states that the contract allows [state.deletionCancelled]',
    (from) => {
      for (const to of privacyRequestStatuses) {
        const next = allowed(type, from)
        const outcome = outcomeOf(request(type, from), to)
        if (next.includes(to)) expect(outcome).toMatchObject({ status: to, updatedAt: now })
        else expect(outcome).toEqual({ code: 'INVALID_STATE', details: { status: from, allowed: next } })
      }
    },
  )
})

it('is due on the same day of the next month, or on its last day where the month is shorter', () => {
  expect(request('access', 'pending').dueAt).toBe('2026-02-28T09:30:00.000Z')
  expect(oneMonthAfter('2028-01-31T00:00:00.000Z')).toBe('2028-02-29T00:00:00.000Z')
  expect(oneMonthAfter('2026-12-15T23:59:59.999Z')).toBe('2027-01-15T23:59:59.999Z')
})

it('calls a restriction a rectification in its summary, and names the real type beside it', () => {
  expect(summaryOf(request('restriction', 'pending'))).toMatchObject({
    type: 'rectification',
    requestType: 'restriction',
  })
  expect(summaryOf(request('objection', 'pending'))).toMatchObject({
    type: 'objection',
    requestType: 'objection',
  })
})

it('keeps the notes of an earlier decision unless the next one has some', () => {
  const before = { ...request('access', 'processing'), notes: 'First' }
  expect(movedPrivacyRequest(before, 'completed', { now })).not.toHaveProperty('notes')
  expect(movedPrivacyRequest(before, 'completed', { now, notes: null })).toMatchObject({ notes: null })
})
