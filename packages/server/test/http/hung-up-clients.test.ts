// Runs on both databases by day: commits whose client has gone.

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

test.each([
  ['a body', '/api/v1/customers', 'application/json'],
  ['an upload', '/api/v1/attachments', 'multipart/form-data; boundary=x'],
])(
  'the request of a client that hangs up before %s, while its credential is read, ends immediately',
  async (_, at, type) => {
    const { storage, log } = running.service
    const findSession = storage.system.findSession
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    // The moment that a slow database gives: the credential is being read.
    storage.system.findSession = async (id) => {
      asked.resolve()
      await released.promise
      return findSession(id)
    }
    const info = vi.spyOn(log, 'info')
    try {
      const { token } = await registerTenant(running.url)
      const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
      const head = [
        `POST ${at} HTTP/1.1`,
        'Host: x',
        `Authorization: Bearer ${token}`,
        `Content-Type: ${type}`,
      ]
      socket.write(`${head.join('\r\n')}\r\nContent-Length: 1000\r\n\r\n{`)
      await asked.promise
      socket.destroy()
      await once(socket, 'close')
      // The server has noticed it once it serves a later connection.
      await call(running.url, { path: '/api/v1/health' })
      released.resolve()
      const aborted = expect.objectContaining({ method: 'POST', path: at })
      await expect.poll(() => info.mock.calls.map(([fields]) => fields)).toContainEqual(aborted)
    } finally {
      storage.system.findSession = findSession
      info.mockRestore()
    }
  },
)
