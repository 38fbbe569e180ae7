import { type InboxEmail, noEmailSettings } from '@crmkit/core'
import { expect, test } from 'vitest'
import { AwayServers, probeEveryMs, serverName } from './away-servers.ts'

const nowMs = 1_000_000

test('all mail of a server that was reached is tried', () => {
  expect(new AwayServers().take('relay', { due: 8, nowMs })).toEqual({ count: 8, nextAtMs: null })
})

test('a server that is away is tried with one mail at each interval, and with all once it was reached', () => {
  const away = new AwayServers()
  away.note('relay', { isReached: false, nowMs })
  const nextAtMs = nowMs + probeEveryMs
  expect(away.take('relay', { due: 8, nowMs: nextAtMs - 1 })).toEqual({ count: 0, nextAtMs })
  expect(away.take('other', { due: 8, nowMs })).toMatchObject({ count: 8 })
  expect(away.take('relay', { due: 8, nowMs: nextAtMs })).toEqual({
    count: 1,
    nextAtMs: nextAtMs + probeEveryMs,
  })
  // The one mail is under way.
  expect(away.take('relay', { due: 7, nowMs: nextAtMs })).toMatchObject({ count: 0 })
  away.note('relay', { isReached: true, nowMs: nextAtMs })
  expect(away.take('relay', { due: 7, nowMs: nextAtMs })).toMatchObject({ count: 7 })
})

test('an inbox without due mail does not use up the one attempt', () => {
  const away = new AwayServers()
  away.note('relay', { isReached: false, nowMs })
  const later = nowMs + probeEveryMs
  expect(away.take('relay', { due: 0, nowMs: later })).toEqual({ count: 0, nextAtMs: null })
  expect(away.take('relay', { due: 1, nowMs: later })).toMatchObject({ count: 1 })
})

test('a clock that was set back does not stop the attempts', () => {
  const away = new AwayServers()
  away.note('relay', { isReached: false, nowMs })
  expect(away.take('relay', { due: 2, nowMs: nowMs - 3_600_000 })).toMatchObject({ count: 1 })
})

test('a server that nobody has waited for is forgotten', () => {
  const away = new AwayServers()
  away.note('old', { isReached: false, nowMs })
  away.note('relay', { isReached: false, nowMs: nowMs + 2 * 3_600_000 })
  expect([away.has('old'), away.has('relay')]).toEqual([false, true])
})

test('tenants share the relay alone', () => {
  const status = { ok: null, checkedAt: null, error: null }
  const smtp = { host: 'mail.example.com', port: 587, security: 'tls', user: 'support', status } as const
  const inboxOf = (email: Partial<InboxEmail>) => ({ _id: 'inb_1', email: { ...noEmailSettings, ...email } })
  const own = inboxOf({ transport: 'smtp', smtp })
  expect(serverName('ten_1', own)).not.toBe(serverName('ten_2', own))
  const relay = inboxOf({ transport: 'relay' })
  expect(serverName('ten_1', relay)).toBe(serverName('ten_2', relay))
  expect(serverName('ten_1', undefined)).toBe(serverName('ten_2', relay))
  expect(serverName('ten_1', inboxOf({ transport: 'none' }))).toBe('inb_1')
})
