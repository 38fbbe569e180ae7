import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { boundReplies, pipelinedMax } from './bound-replies.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** A bounded server, the replies that it has begun, and a client of it. */
async function start() {
  const begun: { url: string; res: ServerResponse }[] = []
  const changed = new EventTarget()
  const handler = boundReplies(
    async ({ url = '' }, res) => {
      begun.push({ url, res })
      changed.dispatchEvent(new Event('begun'))
    },
    { log: silentLog, trustedProxies: 0 },
  )
  const server = createServer((req, res) => void handler(req, res))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1').setEncoding('utf8')
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [Socket]
  cleanups.push(() => {
    client.destroy()
    server.close()
  })
  async function whenBegun(count: number) {
    while (begun.length < count) await once(changed as never, 'begun')
  }
  const send = (count: number) =>
    client.write(Array.from({ length: count }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: crm\r\n\r\n`).join(''))
  const urls = () => begun.map(({ url }) => url)
  return { begun, client, send, socket, urls, whenBegun }
}

test('requests of one connection begin one after the other, each when the reply before it was taken', async () => {
  const { begun, client, send, urls, whenBegun } = await start()
  let text = ''
  client.on('data', (part: string) => {
    text += part
  })
  send(3)
  for (let i = 0; i < 3; i += 1) {
    await whenBegun(i + 1)
    expect(urls()).toHaveLength(i + 1)
    begun[i]?.res.end(`reply ${i}\n`)
  }
  while (!text.includes('reply 2')) await once(client, 'data')
  expect(urls()).toEqual(['/0', '/1', '/2'])
  expect(text.match(/reply \d/g)).toEqual(['reply 0', 'reply 1', 'reply 2'])
})

test('a connection that sends too far ahead is closed', async () => {
  const { send, socket, urls, client } = await start()
  send(pipelinedMax + 2)
  client.resume()
  if (!socket.closed) await once(socket, 'close')
  expect(urls()).toEqual(['/0'])
})

test('no waiting request of a lost connection begins', async () => {
  const { send, socket, urls, whenBegun, client } = await start()
  send(pipelinedMax + 1)
  await whenBegun(1)
  client.destroy()
  if (!socket.closed) await once(socket, 'close')
  await new Promise(setImmediate)
  expect(urls()).toEqual(['/0'])
})
