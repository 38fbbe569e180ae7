import { afterEach, expect, test } from 'vitest'
import { accountAttemptRule, networkAttemptRules } from '../../src/shared/limit-rules.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'

// Guessing one password from many addresses: each address by itself stays within its limits.

let running: RunningService
afterEach(() => running.stop())

async function start(variables: Record<string, string> = {}) {
  running = await startService({ CRM_RATE_LIMITS: 'on', CRM_TRUST_PROXY: '1', ...variables })
  return registerTenant(running.url)
}

/** Far from the limits of an address, where another limit is tested. */
const far = { CRM_LIMIT_LOGIN_PER_MINUTE: '100000', CRM_LIMIT_ADDRESS_PER_MINUTE: '100000' }

const login = (email: string, { from, secret = 'a wrong guess' }: { from: string; secret?: string }) =>
  call(running.url, {
    method: 'POST',
    path: '/api/auth/login',
    body: { email, password: secret },
    headers: { 'x-forwarded-for': from },
  })

/** Makes one guess from each address, one after the other; returns how many were tried. */
async function tried(email: string, addresses: readonly string[]): Promise<number> {
  let count = 0
  for (const from of addresses) if ((await login(email, { from })).status === 401) count += 1
  return count
}

const addresses = (count: number, of: (n: string) => string) =>
  Array.from({ length: count }, (_, n) => of((n + 1).toString(16)))

test.each([
  ['30 networks /64 of one /56', (n: string) => `2001:db8:7:a0${n.padStart(2, '0')}::1`, '/56'],
  ['30 networks /64 of one /48', (n: string) => `2001:db8:7:${n}00::1`, '/48'],
] as const)('guesses from %s count together, for known and unknown accounts alike', async (_, of, prefix) => {
  const { email } = await start(far)
  const { freeFailures } = networkAttemptRules[prefix]
  for (const account of [email, 'nobody@example.com'])
    expect(await tried(account, addresses(30, of))).toBe(freeFailures)
  expect((await login(email, { from: '2001:db8:8::1', secret: password })).status).toBe(200)
})

test('sign-ins from all /64 networks of one /48 share limits that are wider than the limits of one network', async () => {
  await start({ CRM_LIMIT_LOGIN_PER_MINUTE: '5', CRM_LIMIT_ADDRESS_PER_MINUTE: '100000' })
  let refused = 0
  for (const [index, from] of addresses(30, (n) => `2001:db8:7:${n}00::1`).entries()) {
    const { status } = await login(`nobody${index}@example.com`, { from })
    expect([401, 429]).toContain(status)
    if (status === 429) refused += 1
  }
  expect(refused).toBe(10)
})

test.each([
  ['an IPv4 address', (port: number) => `203.0.113.7:${port}`],
  ['an IPv6 address', (port: number) => `[2001:db8::7]:${port}`],
])('guesses from %s count together although the proxy adds the port of each connection', async (_, of) => {
  const { email } = await start(far)
  const ports = Array.from({ length: 20 }, (__, n) => of(50_000 + n))
  expect(await tried(email, ports)).toBe(5)
})

test('guesses from many addresses finally wait, but the owner never waits where they have signed in before', async () => {
  const { email } = await start(far)
  const home = { from: '198.51.100.1', secret: password }
  expect((await login(email, home)).status).toBe(200)
  const guesses = addresses(accountAttemptRule.freeFailures + 20, (n) => `2001:db8:${n}::1`)
  expect(await tried(email, guesses)).toBe(accountAttemptRule.freeFailures)
  const elsewhere = await login(email, { from: '198.51.100.2', secret: password })
  expect([elsewhere.status, elsewhere.body.limit]).toEqual([429, accountAttemptRule.freeFailures])
  expect((await login(email, home)).status).toBe(200)
  // A known address does not avoid its own limit.
  expect(
    await tried(
      email,
      Array.from({ length: 8 }, () => home.from),
    ),
  ).toBe(5)
})

test('a stranger’s own identity of the e-mail allows no further guesses at the owner’s', async () => {
  const { email, token } = await start(far)
  // The stranger has invited the e-mail and accepted with a password of their own.
  const stranger = await registerTenant(running.url)
  const body = { email, role: 'agent' }
  const invited = await call(running.url, {
    method: 'POST',
    path: '/api/v1/users',
    token: stranger.token,
    body,
  })
  const secret = 'chosen by the stranger'
  const accepted = await call(running.url, {
    method: 'POST',
    path: '/api/auth/accept-invite',
    body: { token: invited.body.data.inviteToken, password: secret, separate: true },
  })
  expect(accepted.status).toBe(200)
  const networks = addresses(4, (n) => `2001:db8:${n}::1`)
  let guesses = 0
  for (let round = 0; round < 30; round++) {
    for (const from of networks) {
      await login(email, { from, secret })
      guesses += await tried(email, [from])
    }
  }
  // 120 guesses: five at each address, and one more after each wait that has ended meanwhile.
  expect(guesses).toBeLessThanOrEqual(networks.length * 8)
  expect((await call(running.url, { path: '/api/auth/me', token })).status).toBe(200)
})

test('1,200 wrong sign-ins from 60 addresses at once neither delay a right one behind all of them nor refuse it', async () => {
  const { email } = await start(far)
  const statuses: number[] = []
  const guesses = addresses(60, (n) => `2001:db8:${n}::1`).flatMap((from) =>
    Array.from({ length: 20 }, async (_, n) => {
      // A machine that is short of sockets drops some.
      const { status } = await login(`nobody${n}.${from}@example.com`, { from }).catch(() => ({ status: 0 }))
      statuses.push(status)
    }),
  )
  await Promise.race(guesses)
  const before = statuses.filter((status) => status === 401).length
  const right = await login(email, { from: '198.51.100.1', secret: password })
  const after = statuses.filter((status) => status === 401).length
  expect(right.status).toBe(200)
  // One round of all waiting sign-ins, and not the whole queue.
  expect(after - before).toBeLessThan(300)
  await Promise.all(guesses)
  for (const status of statuses) expect([0, 401, 503]).toContain(status)
})
