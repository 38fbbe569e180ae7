import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { call } from '../../test/support/call.ts'
import { findLastingPort } from '../../test/support/free-port.ts'
import { withUpgradeNotice } from './serve-upgrade.ts'

const schemas = { from: 130, to: 147 }
const host = '127.0.0.1'

/** An upgrade that lasts until `end` is called. */
function beginUpgrade(port: number) {
  const said: string[] = []
  const { promise: work, resolve: end } = Promise.withResolvers<string>()
  const options = { address: { host, port }, say: (sentence: string) => void said.push(sentence) }
  return { said, end, upgraded: withUpgradeNotice(schemas, options, () => work) }
}

test('while a database is upgraded requests get a 503 that says when to try again, and the sign of life a 200', async () => {
  const port = await findLastingPort()
  const url = `http://${host}:${port}`
  const { said, end, upgraded } = beginUpgrade(port)
  await expect.poll(() => said).toEqual(['The database is upgraded from schema 130 to 147'])
  const refused = { success: false, code: 'UPGRADE', requestId: expect.any(String) }
  for (const request of [
    { path: '/api/v1/health' },
    { method: 'POST', path: '/api/v1/customers', body: { firstName: 'A'.repeat(100_000) } },
  ]) {
    const response = await call(url, request)
    expect(response).toMatchObject({ status: 503, body: refused })
    expect(response.headers.get('retry-after')).toBe('5')
  }
  expect(await call(url, { path: '/api/v1/health/live' })).toMatchObject({
    status: 200,
    body: { success: true, data: { status: 'ok' } },
  })
  end('the service')
  expect(await upgraded).toBe('the service')
  expect(said.at(-1)).toMatch(/^The database was upgraded in \d+ s$/)
  // The port is free for the service.
  const server = createServer().listen(port, host)
  await new Promise((resolve) => server.once('listening', resolve))
  server.close()
})

test('an upgrade does not begin where the server could not listen afterwards', async () => {
  const port = await findLastingPort()
  const other = createServer().listen(port, host)
  await new Promise((resolve) => other.once('listening', resolve))
  let hasBegun = false
  const options = { address: { host, port }, say: () => {} }
  const work = async () => {
    hasBegun = true
  }
  await expect(withUpgradeNotice(schemas, options, work)).rejects.toThrow('is already in use')
  expect(hasBegun).toBe(false)
  other.close()
})
