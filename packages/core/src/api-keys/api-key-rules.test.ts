import { expect, it } from 'vitest'
import { apiKeyProblems, isKeyExpired, newApiKey, shownApiKey, updatedApiKey } from './api-key-rules.ts'

const now = '2026-11-21T09:30:00.000Z'
const later = '2026-11-22T09:30:00.000Z'
const text = { key: 'sk_live_x', keyPrefix: 'sk_live_', keyHint: 'abcd' }
const making = { id: 'key_1', tenantId: 'ten_1', createdBy: 'usr_1', text, now }
const key = newApiKey({ name: 'CI', permissions: ['read:customers'] }, making)

it('makes an active production key that never expires and does not contain the secret', () => {
  expect(key).toMatchObject({
    environment: 'production',
    isActive: true,
    expiresAt: null,
    ipWhitelist: [],
    keyHint: 'abcd',
  })
  expect(JSON.stringify(key)).not.toContain('sk_live_x')
})

it('reports an expiry in the past together with a notice longer than the interval', () => {
  const rotationPolicy = { enabled: true, intervalDays: 30, notifyDaysBefore: 30 }
  expect(apiKeyProblems({ expiresAt: now, rotationPolicy }, now)).toEqual([
    expect.objectContaining({ field: 'expiresAt', rule: 'future' }),
    expect.objectContaining({ field: 'rotationPolicy.notifyDaysBefore', rule: 'less_than' }),
  ])
  expect(apiKeyProblems({ expiresAt: later, rotationPolicy: null }, now)).toEqual([])
})

it('keeps absent fields and clears null fields', () => {
  const limited = updatedApiKey(
    key,
    { rateLimit: { requests: 5, window: '1m' }, ipWhitelist: ['10.0.0.1'] },
    now,
  )
  expect(updatedApiKey(limited, { name: 'B' }, later)).toMatchObject({
    name: 'B',
    rateLimit: { requests: 5 },
  })
  expect(updatedApiKey(limited, { rateLimit: null, ipWhitelist: null }, later)).toMatchObject({
    rateLimit: null,
    ipWhitelist: [],
  })
})

it('keeps the time of the first revocation, and clears it when the key is active again', () => {
  const revoked = updatedApiKey(key, { isActive: false }, now)
  expect(revoked.revokedAt).toBe(now)
  expect(updatedApiKey(revoked, { isActive: false }, later).revokedAt).toBe(now)
  expect(updatedApiKey(revoked, { isActive: true }, later).revokedAt).toBeNull()
})

it('expires a key at exactly expiresAt', () => {
  expect(isKeyExpired({ expiresAt: later }, '2026-11-22T09:29:59.999Z')).toBe(false)
  expect(isKeyExpired({ expiresAt: later }, later)).toBe(true)
  expect(isKeyExpired({ expiresAt: null }, later)).toBe(false)
})

it('reports a rotation as due soon or overdue by the policy of the key alone [auth.rotation]', () => {
  const rotationPolicy = { enabled: true, intervalDays: 30, notifyDaysBefore: 7 }
  const rotating = { ...key, rotationPolicy }
  const shown = (at: string) => {
    const { rotationDueAt, rotationDueSoon, rotationOverdue } = shownApiKey(rotating, at)
    return [rotationDueAt, rotationDueSoon, rotationOverdue]
  }
  const dueAt = '2026-12-21T09:30:00.000Z'
  expect(shown('2026-12-14T09:29:59.999Z')).toEqual([dueAt, false, false])
  expect(shown('2026-12-14T09:30:00.000Z')).toEqual([dueAt, true, false])
  expect(shown(dueAt)).toEqual([dueAt, false, true])
  for (const policy of [null, { ...rotationPolicy, enabled: false }]) {
    expect(shownApiKey({ ...key, rotationPolicy: policy }, '2030-01-01T00:00:00.000Z')).toMatchObject({
      rotationDueAt: null,
      rotationDueSoon: false,
      rotationOverdue: false,
    })
  }
})
