import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type RunningService, startService } from '../support/start-service.ts'

/** Sends one request and leaves the connection idle; returns the head of the response and the connection. */
async function requestAndIdle({ url }: RunningService) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let head = ''
  socket.setEncoding('utf8').on('data', (text: string) => (head += text))
  socket.write('GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  return { head: () => head, socket }
}

test('an idle connection stays open for 65 s by default, longer than load balancers keep theirs', async () => {
  const running = await startService()
  const { head, socket } = await requestAndIdle(running)
  expect(head()).toMatch(/^Keep-Alive: timeout=65\r$/m)
  socket.destroy()
  await running.stop()
})

test('CRM_KEEP_ALIVE_SECONDS sets how long an idle connection stays open', async () => {
  const running = await startService({ CRM_KEEP_ALIVE_SECONDS: '1' })
  const idleAt = performance.now()
  const { head, socket } = await requestAndIdle(running)
  expect(head()).toMatch(/^Keep-Alive: timeout=1\r$/m)
  await once(socket, 'close')
  expect(performance.now() - idleAt).toBeGreaterThan(900)
  await running.stop()
})
