import { type InboxEmail, noEmailSettings } from '@crmkit/core'
import { expect, test } from 'vitest'
import { AwayServers, probeEveryMs, serverName } from './away-servers.ts'

const nowMs = 1_000_000

/** Three attempts in a row that could not reach a server. */
function fail(away: AwayServers, server: string, atMs = nowMs): void {
  for (const _ of [1, 2, 3]) away.note(server, { outcome: 'unreachable' }, atMs)
}

test('a server that fails now and then is not away', () => {
  const away = new AwayServers()
  for (const outcome of ['unreachable', 'unreachable', 'deferred', 'unreachable', 'unreachable'] as const)
    away.note('relay', { outcome }, nowMs)
  expect(away.take('relay', { due: 8, nowMs })).toEqual({ count: 8, nextAtMs: null })
  away.note('relay', { outcome: 'unreachable' }, nowMs)
  expect(away.take('relay', { due: 8, nowMs })).toMatchObject({ count: 0 })
})

test('all mail of a server that was reached is tried', () => {
  expect(new AwayServers().take('relay', { due: 8, nowMs })).toEqual({ count: 8, nextAtMs: null })
})

test('a server that is away is tried with one mail at each interval, and with all once it was reached', () => {
  const away = new AwayServers()
  fail(away, 'relay')
  const nextAtMs = nowMs + probeEveryMs
  expect(away.take('relay', { due: 8, nowMs: nextAtMs - 1 })).toEqual({ count: 0, nextAtMs })
  expect(away.take('other', { due: 8, nowMs })).toMatchObject({ count: 8 })
  expect(away.take('relay', { due: 8, nowMs: nextAtMs })).toEqual({
    count: 1,
    nextAtMs: nextAtMs + probeEveryMs,
  })
  // The one mail is under way.
  expect(away.take('relay', { due: 7, nowMs: nextAtMs })).toMatchObject({ count: 0 })
  away.note('relay', { outcome: 'sent' }, nextAtMs)
  expect(away.take('relay', { due: 7, nowMs: nextAtMs })).toMatchObject({ count: 7 })
})

test('an inbox without due mail does not use up the one attempt', () => {
  const away = new AwayServers()
  fail(away, 'relay')
  const later = nowMs + probeEveryMs
  expect(away.take('relay', { due: 0, nowMs: later })).toEqual({ count: 0, nextAtMs: null })
  expect(away.take('relay', { due: 1, nowMs: later })).toMatchObject({ count: 1 })
})

test('a clock that was set back does not stop the attempts', () => {
  const away = new AwayServers()
  fail(away, 'relay')
  expect(away.take('relay', { due: 2, nowMs: nowMs - 3_600_000 })).toMatchObject({ count: 1 })
})

test('a server that nobody has waited for is forgotten', () => {
  const away = new AwayServers()
  fail(away, 'old')
  fail(away, 'relay', nowMs + 2 * 3_600_000)
  expect([away.has('old'), away.has('relay')]).toEqual([false, true])
})

/** Tries the server each second for some hours; returns after how many minutes it was tried. */
function minutesOfAttempts(
  result: { outcome: 'unreachable' | 'refused_sign_in'; wasConnected?: boolean },
  hours: number,
) {
  const away = new AwayServers()
  const minutes: number[] = []
  for (let atMs = nowMs; atMs < nowMs + hours * 3_600_000; atMs += 1_000) {
    if (away.take('server', { due: 5, nowMs: atMs }).count === 0) continue
    minutes.push((atMs - nowMs) / 60_000)
    away.note('server', result, atMs)
  }
  return minutes
}

test('a refused sign-in is tried after 1, 5, 15 and 30 minutes: an account is locked after a few more', () => {
  expect(minutesOfAttempts({ outcome: 'refused_sign_in' }, 2)).toEqual([0, 1, 6, 21, 51, 81, 111])
})

test('a server that is there and cuts is tried ever more rarely, one that is away each 15 seconds', () => {
  const cuts = minutesOfAttempts({ outcome: 'unreachable', wasConnected: true }, 1)
  const waits = cuts.slice(1).map((minute, at) => Math.round(4 * (minute - (cuts[at] ?? 0))) / 4)
  expect(Math.max(...waits)).toBe(5)
  expect(waits.slice(2, 8)).toEqual([0.25, 0.5, 1, 2, 4, 5])
  const away = minutesOfAttempts({ outcome: 'unreachable' }, 1)
  expect(away.length).toBeGreaterThan(230)
})

test('a queue that waits for a sign-in is read each minute, because other credentials are tried immediately', () => {
  const away = new AwayServers()
  for (const _ of [1, 2, 3]) away.note('server', { outcome: 'refused_sign_in' }, nowMs)
  expect(away.take('server', { due: 5, nowMs })).toEqual({ count: 0, nextAtMs: nowMs + 60_000 })
  const smtp = {
    auth: 'password',
    host: 'mail.example.com',
    port: 587,
    security: 'tls',
    user: 'support',
    status: { ok: false, checkedAt: null, error: null, reauthRequired: false, nextTryAt: null },
  } as const
  const nameOf = (mailSecrets: string) =>
    serverName(
      { tenantId: 'ten_1', queueId: 'inb_1' },
      { email: { ...noEmailSettings, transport: 'smtp', smtp }, mailSecrets },
    )
  expect(nameOf('sealed 1')).not.toBe(nameOf('sealed 2'))
})

test('tenants share the relay alone', () => {
  const status = { ok: null, checkedAt: null, error: null, reauthRequired: false, nextTryAt: null }
  const smtp = {
    auth: 'password',
    host: 'mail.example.com',
    port: 587,
    security: 'tls',
    user: 'support',
    status,
  } as const
  const nameOf = (tenantId: string, email: Partial<InboxEmail>) =>
    serverName({ tenantId, queueId: `inb_of_${tenantId}` }, { email: { ...noEmailSettings, ...email } })
  expect(nameOf('ten_1', { transport: 'smtp', smtp })).not.toBe(nameOf('ten_2', { transport: 'smtp', smtp }))
  expect(nameOf('ten_1', { transport: 'relay' })).toBe('relay')
  expect(serverName({ tenantId: 'ten_1', queueId: 'ten_1' }, undefined)).toBe('relay')
  expect(nameOf('ten_1', { transport: 'none' })).toBe('inb_of_ten_1')
  expect(serverName({ tenantId: 'ten_1', queueId: 'inb_deleted' }, undefined)).toBe('inb_deleted')
})

test('a sign-in that succeeded after the last refusal ends the waiting, and one before it does not', () => {
  const away = new AwayServers()
  away.note('own', { outcome: 'refused_sign_in' }, nowMs)
  expect(away.nextTryMs('own')).toBe(nowMs + 60_000)
  away.noteReached('own', nowMs)
  expect(away.take('own', { due: 3, nowMs: nowMs + 1 })).toMatchObject({ count: 0 })
  away.noteReached('own', nowMs + 1)
  expect(away.nextTryMs('own')).toBeNull()
  expect(away.take('own', { due: 3, nowMs: nowMs + 2 })).toEqual({ count: 3, nextAtMs: null })
})

test('a server that is tried all the time has no next attempt to show', () => {
  const away = new AwayServers()
  fail(away, 'relay')
  expect(away.nextTryMs('relay')).toBeNull()
})
