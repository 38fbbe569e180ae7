import { describe, expect, it } from 'vitest'
import { type Customer, createCustomerBody } from './customer.ts'
import {
  blockedCustomer,
  customerEvent,
  customerNeedsAName,
  mergedCustomer,
  newCustomer,
  updatedCustomer,
} from './customer-rules.ts'

const now = '2026-11-21T09:30:00.000Z'
const later = '2026-11-21T10:00:00.000Z'
const making = { id: 'cus_1', tenantId: 'ten_1', now, eventId: 'evt_1' }
const { customer: ada } = newCustomer({ firstName: 'Ada', email: 'ada@example.com', tags: ['a'] }, making)

describe('a new customer', () => {
  it('is bronze and active, has every field, and keeps the flat ones in its profile', () => {
    expect(ada).toEqual({
      _id: 'cus_1',
      tenantId: 'ten_1',
      profile: { firstName: 'Ada', lastName: null, email: 'ada@example.com', phone: null, company: null },
      jobTitle: null,
      tier: 'bronze',
      status: 'active',
      tags: ['a'],
      customFields: {},
      externalIds: [],
      blockedAt: null,
      lastContactAt: null,
      createdAt: now,
      updatedAt: now,
    })
  })

  it('emits an event with the whole customer', () => {
    const { event } = newCustomer({ phone: '1' }, making)
    expect(event).toMatchObject({
      _id: 'evt_1',
      type: 'customer.created',
      timestamp: now,
      subjects: ['cus_1'],
    })
    expect(JSON.parse(event.body)).toMatchObject({
      id: 'evt_1',
      event: 'customer.created',
      data: { _id: 'cus_1' },
    })
    expect(JSON.parse(event.body)).not.toHaveProperty('changes')
  })

  it.each([[{}], [{ company: 'Acme' }], [{ firstName: '  ', email: null }]])(
    'needs a name, an e-mail or a phone: %j',
    (body) => {
      expect(customerNeedsAName.check(body)).toMatchObject({ rule: 'at_least_one' })
    },
  )

  it.each(['firstName', 'lastName', 'email', 'phone'])('may have %s alone', (field) => {
    expect(customerNeedsAName.check({ [field]: 'x' })).toBeUndefined()
  })

  it('ignores fields that are not its own', () => {
    for (const field of ['_id', 'tenantId', 'createdAt', 'status', 'profile', 'firstname']) {
      expect(createCustomerBody.safeParse({ firstName: 'Ada', [field]: 'x' }).success, field).toBe(false)
    }
  })
})

describe('a block', () => {
  const blocked = blockedCustomer(ada, true, now)

  it('keeps the time of the first one', () => {
    expect(blocked.customer.blockedAt).toBe(now)
    expect(blockedCustomer(blocked.customer, true, later)).toMatchObject({
      customer: { blockedAt: now },
      changes: {},
    })
    expect(blockedCustomer(blocked.customer, false, later).changes).toMatchObject({
      blockedAt: { from: now, to: null },
    })
  })

  it('of either customer outlives a merge, with the earlier time', () => {
    const { customer: grace } = newCustomer({ firstName: 'Grace' }, { ...making, id: 'cus_2' })
    const laterBlocked = blockedCustomer(grace, true, later).customer
    const timeOf = (target: Customer, source: Customer) =>
      mergedCustomer(target, source, { now: later }).customer.blockedAt
    expect(timeOf(ada, grace)).toBeNull()
    expect(timeOf(grace, blocked.customer)).toBe(now)
    expect(timeOf(laterBlocked, blocked.customer)).toBe(now)
  })
})

describe('a change', () => {
  it('keeps absent fields, clears null fields and restores defaults', () => {
    const gold = updatedCustomer(ada, { tier: 'gold', jobTitle: 'Countess' }, later).customer
    const { customer, changes } = updatedCustomer(
      gold,
      { tier: null, jobTitle: null, email: null, tags: null },
      later,
    )
    expect(customer).toMatchObject({ tier: 'bronze', jobTitle: null, tags: [], status: 'active' })
    expect(customer.profile).toMatchObject({ firstName: 'Ada', email: null })
    expect(changes).toEqual({
      'profile.email': { from: 'ada@example.com', to: null },
      jobTitle: { from: 'Countess', to: null },
      tier: { from: 'gold', to: 'bronze' },
      tags: { from: ['a'], to: [] },
    })
  })

  it('that changes nothing has no changes', () => {
    expect(updatedCustomer(ada, {}, later).changes).toEqual({})
    expect(updatedCustomer(ada, { firstName: 'Ada', tags: ['a'] }, later).changes).toEqual({})
  })

  it('is refused when no name, e-mail or phone would remain', () => {
    expect(() => updatedCustomer(ada, { firstName: null, email: null }, later)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    )
    expect(
      updatedCustomer(ada, { firstName: null, email: null, phone: '1' }, later).customer.profile.phone,
    ).toBe('1')
  })

  it('does not alter the customer before it', () => {
    const before = structuredClone(ada)
    updatedCustomer(ada, { firstName: 'Eve', customFields: { a: 1 } }, later)
    expect(ada).toEqual(before)
  })

  it('emits an event with its changes', () => {
    const { customer, changes } = updatedCustomer(ada, { tier: 'gold' }, later)
    const event = customerEvent('customer.updated', { customer, changes, eventId: 'evt_2', now: later })
    expect(JSON.parse(event.body).changes).toEqual({ tier: { from: 'bronze', to: 'gold' } })
  })
})
