import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { refuseMalformed } from './refuse-malformed.ts'

test('keeps no connection for a caller that reads the refusal and never hangs up', async () => {
  // As Node's HTTP server has its sockets.
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const [socket] = (await once(server, 'connection')) as [Socket]
  refuseMalformed(Object.assign(new Error(), { code: 'HPE_INVALID_METHOD' }), socket)
  let read = ''
  caller.setEncoding('utf8').on('data', (text: string) => (read += text))
  await once(caller, 'end')
  expect(read).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(caller.writable).toBe(true)
  if (!socket.closed) await once(socket, 'close')
  expect(socket.destroyed).toBe(true)
  caller.destroy()
  server.close()
})
