import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'
import { migratedTestWorld, type TestWorld } from '../support/test-world.ts'

let dataDir: string
let world: TestWorld
let server: Program
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-draining-'))
  world = migratedTestWorld()
  const env = { PORT: '0', CRM_DATA_DIR: dataDir, CRM_RATE_LIMITS: 'off', CRM_LOG_LEVEL: 'error' }
  server = await startProgram(serverProgram, ['start', '--dev'], { ...env, ...world.variables })
})
afterEach(async () => {
  await server.kill('SIGKILL')
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Client {
  /** Stops the client after the reply that closes its connection; resolves to the failures that it saw. */
  readonly failures: Promise<string[]>
  readonly begun: Promise<void>
}

/** Sends one request after the other over one connection, until a reply says that it closes. */
function busyClient(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const begun = Promise.withResolvers<void>()
  const send = (): Promise<boolean> => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    request(`${url}/api/v1/health`, { agent }, (res) => {
      res.resume().once('end', () => {
        begun.resolve()
        resolve(res.headers.connection === 'close')
      })
      res.once('error', reject)
    })
      .once('error', reject)
      .end()
    return promise
  }
  const run = async (): Promise<string[]> => {
    try {
      while (!(await send()));
      return []
    } catch (error) {
      return [String(error)]
    } finally {
      agent.destroy()
    }
  }
  return { failures: run(), begun: begun.promise }
}

it('a server that receives SIGTERM resets no busy client, and exits soon after its last reply', async () => {
  const clients = Array.from({ length: 20 }, () => busyClient(server.url))
  await Promise.all(clients.map(({ begun }) => begun))
  const exit = server.kill('SIGTERM')
  const failures = await Promise.all(clients.map((client) => client.failures))
  const lastReplyAt = performance.now()
  expect(failures.flat()).toEqual([])
  expect(await exit).toBe(0)
  expect(performance.now() - lastReplyAt).toBeLessThan(9_000)
})

it('a server that receives SIGTERM does not wait for a connection that has never sent a request', async () => {
  const { port, hostname } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  // The server accepts connections in their order.
  await (await fetch(`${server.url}/api/v1/health`, { headers: { connection: 'close' } })).arrayBuffer()
  const startMs = performance.now()
  const closed = once(socket.resume(), 'close')
  expect(await server.kill('SIGTERM')).toBe(0)
  await closed
  // Requests that run have ten seconds.
  expect(performance.now() - startMs).toBeLessThan(8_000)
})

describe('a refusal before the body has arrived reaches a client that closes its connection', () => {
  const bodyBytes = 12 * 1024 * 1024

  /** Sends head and body as fast as the socket takes them, as a proxy does; resolves to the reply. */
  function sendAll(head: string): Promise<string> {
    const { port, hostname } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let reply = ''
    socket.on('data', (chunk) => {
      reply += String(chunk)
    })
    socket.once('error', reject).once('close', () => resolve(reply))
    socket.write(head)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    let sent = 0
    const pump = (): void => {
      while (sent < bodyBytes && !socket.destroyed) {
        sent += chunk.length
        if (!socket.write(chunk)) return void socket.once('drain', pump)
      }
    }
    pump()
    return promise
  }

  const json = 'Content-Type: application/json'
  it.each([
    ['too large', `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${json}`, '413'],
    ['no credential', `POST /api/v1/customers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${json}`, '401'],
    ['unknown path', `POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${json}`, '404'],
    ['a proxy of HTTP/1.0', `POST /api/v1/attachments HTTP/1.0\r\nHost: x\r\n${json}`, '401'],
  ])('%s', async (_, head, status) => {
    for (let round = 0; round < 5; round++) {
      const reply = await sendAll(`${head}\r\nContent-Length: ${bodyBytes}\r\n\r\n`)
      expect(reply.split('\r\n', 1)[0]).toContain(` ${status} `)
      expect(reply).toContain('"success":false')
    }
  })
})
