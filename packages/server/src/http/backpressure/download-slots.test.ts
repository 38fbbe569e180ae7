import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { DownloadSlots, downloadsPerCredentialMax } from './download-slots.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

test('a credential has a limited number of downloads; one more waits until one ends, and a disconnected client takes no slot', async () => {
  const slots = new DownloadSlots()
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  cleanups.push(() => server.close())
  async function ask(credential: string) {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    cleanups.push(() => client.destroy())
    client.write('GET / HTTP/1.1\r\nHost: crm\r\n\r\n')
    const [, res] = (await once(server, 'request')) as [unknown, ServerResponse]
    const asked = { client, res, hasBegun: false, begun: Promise.resolve() }
    asked.begun = slots.take(credential, res).then(() => {
      asked.hasBegun = true
    })
    return asked
  }
  const asked = []
  for (let i = 0; i < downloadsPerCredentialMax + 3; i += 1) asked.push(await ask('one'))
  const [first, second] = asked
  const [gone, next, last] = asked.slice(downloadsPerCredentialMax)
  const other = await ask('two')
  await other.begun
  expect(asked.map(({ hasBegun }) => hasBegun)).toEqual(asked.map((_, i) => i < downloadsPerCredentialMax))
  gone?.client.destroy()
  await once(gone?.res as ServerResponse, 'close')
  first?.res.end()
  await next?.begun
  expect(last?.hasBegun).toBe(false)
  second?.client.destroy()
  await last?.begun
})
