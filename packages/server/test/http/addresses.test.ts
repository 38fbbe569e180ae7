import { expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { startService } from '../support/start-service.ts'

const allowed = '203.0.113.0/24'

/** Returns the status that a key for `allowed` gets for this `X-Forwarded-For`. */
async function statusesBehind(hops: string, forwarded: readonly (string | undefined)[]) {
  const running = await startService({ CRM_TRUST_PROXY: hops })
  try {
    const { token } = await registerTenant(running.url)
    const body = { name: 'Key', permissions: ['read:customers'], ipWhitelist: [allowed] }
    const made = await call(running.url, { method: 'POST', path: '/api/tenant/api-keys', token, body })
    const responses = forwarded.map((value) =>
      call(running.url, {
        path: '/api/v1/customers',
        token: made.body.data.key,
        headers: value === undefined ? {} : { 'x-forwarded-for': value },
      }),
    )
    return (await Promise.all(responses)).map(({ status }) => status)
  } finally {
    await running.stop()
  }
}

it('ignores X-Forwarded-For unless a proxy is trusted [auth.whitelist]', async () => {
  expect(await statusesBehind('0', [undefined, '203.0.113.9'])).toEqual([403, 403])
})

it('accepts only the address that the trusted proxy saw, and none that was written further left [auth.whitelist]', async () => {
  const forwarded = [
    '203.0.113.9',
    '::ffff:203.0.113.9',
    '198.51.100.1, 203.0.113.9',
    '203.0.113.9, 198.51.100.1',
  ]
  expect(await statusesBehind('1', forwarded)).toEqual([200, 200, 200, 403])
  expect(await statusesBehind('1', [undefined, 'unknown', ''])).toEqual([403, 403, 403])
})

it('accepts a forwarded address without its port, and ignores Forwarded', async () => {
  const forwarded = [
    '203.0.113.9:51234',
    '[::ffff:203.0.113.9]:51234',
    '[::ffff:203.0.113.9]',
    '[2001:db8::1]:5',
  ]
  expect(await statusesBehind('1', forwarded)).toEqual([200, 200, 200, 403])
})

it('takes the last address outside of the trusted networks for the caller, however many proxies there are', async () => {
  const networks = '127.0.0.0/8, 10.0.0.0/8, 2001:db8::/32'
  const forwarded = [
    '203.0.113.9',
    '203.0.113.9, 10.1.2.3, [2001:db8::7]:80, 10.9.9.9',
    '::ffff:203.0.113.9, ::ffff:10.1.2.3',
    // The caller wrote the first one.
    '203.0.113.9, 198.51.100.1, 10.1.2.3',
    '203.0.113.9, unknown, 10.1.2.3',
    undefined,
  ]
  expect(await statusesBehind(networks, forwarded)).toEqual([200, 200, 200, 403, 403, 403])
})

it('takes a connection from outside of the trusted networks for the caller itself', async () => {
  expect(await statusesBehind('10.0.0.0/8', ['203.0.113.9', '203.0.113.9, 10.1.2.3'])).toEqual([403, 403])
})
