import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { platform, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { call, createKey, registerTenant, upload } from '../support/call.ts'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'

const connectionCount = 200
const requestsPerConnection = 20
// The goal is 150 MB. Streams stay within it on a calm machine, and a busy one collects their garbage late. Before a reply counted
// from its beginning, lists of large rows reached 553 MB in whole runs, of which 405 stayed for a minute. One reply for each
// connection is 1,300 MB.
const growthMaxMb = 400
const givenBackWithinMs = 60_000
const leftoverMaxMb = 250
/** Long enough for a machine that is busy with other tests too. */
const healthMaxMs = 30_000
/**
 * Longer than the patience with clients that take nothing while much waits: the replies behind theirs are made
 * meanwhile.
 */
const watchMs = 7_000
const permissions = ['read:customers', 'write:customers', 'read:conversations', 'write:conversations']
const streamKeyCount = connectionCount / 5

interface Filled {
  token: string
  key: string
  /** Enough keys for all streams: a credential may have five. */
  streamKeys: string[]
  customerId: string
  conversationId: string
  attachmentId: string
}

let filled: Filled
let server: Program | undefined
const sockets: Socket[] = []
const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-unread-'))
// V8 leaves garbage in memory while the machine has enough of it; this test measures what the clients make the server
// hold.
const collectGarbage = fileURLToPath(new URL('./support/preload/collect-garbage.ts', import.meta.url))
const start = () =>
  startProgram(serverProgram, ['start'], {
    CRM_DATA_DIR: dataDir,
    PORT: '0',
    NODE_OPTIONS: `--expose-gc --import ${collectGarbage}`,
    // The allocator gives long buffers back at once, instead of keeping them for later ones.
    MALLOC_MMAP_THRESHOLD_: '131072',
  })

beforeAll(async () => {
  server = await start()
  filled = await fill(server.url)
  await server.kill('SIGTERM')
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.kill('SIGKILL')
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** A conversation of a hundred messages of the greatest length, and a file of 10 MB less a little. */
async function fill(url: string): Promise<Filled> {
  const { token } = await registerTenant(url)
  const key = await createKey(url, token, permissions)
  const post = async (at: string, body: object) => {
    const response = await call(url, { method: 'POST', path: at, token, body })
    if (response.status !== 201) throw new Error(`Not created: ${JSON.stringify(response.body)}`)
    return response.body.data._id as string
  }
  const customerId = await post('/api/v1/customers', { firstName: 'Ada' })
  const inboxId = (await call(url, { path: '/api/v1/inboxes', token })).body.data[0]._id
  const conversationId = await post('/api/v1/conversations', { subject: 'Long', inboxId, customerId })
  const message = { direction: 'inbound', content: 'x'.repeat(65_536) }
  for (let i = 0; i < 100; i += 1) await post(`/api/v1/conversations/${conversationId}/messages`, message)
  const file = new File(['text '.repeat(2_000_000)], 'long.txt', { type: 'text/plain' })
  const { _id: attachmentId } = await upload(url, { token, file })
  const streamKeys = await Promise.all(
    Array.from({ length: streamKeyCount }, () => createKey(url, token, permissions)),
  )
  return { token, key, streamKeys, customerId, conversationId, attachmentId }
}

const get = (target: string, key?: string) =>
  `GET ${target} HTTP/1.1\r\nHost: crm\r\n${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}\r\n`

/** One request of each kind of reply; `i` counts the connections. */
const requests: Record<string, (i: number) => string> = {
  'a static file': () => get('/api-docs/swagger-ui-bundle.js'),
  'a list of large rows': () =>
    get(`/api/v1/conversations/${filled.conversationId}/messages?limit=100`, filled.key),
  'an uploaded file': () => get(`/api/v1/attachments/${filled.attachmentId}`, filled.key),
  'an export': () => get(`/api/v1/customers/${filled.customerId}/export`, filled.token),
  'a stream of events': (i) =>
    get('/api/v1/events/stream?after=earliest', filled.streamKeys[i % streamKeyCount]),
}

it.for(Object.entries(requests))(
  `${connectionCount} connections that never read their replies cost bounded memory, which is soon free again, and delay no other client: %s`,
  async ([, request], { skip }) => {
    if (platform() !== 'linux') skip('the memory of another process is read from /proc')
    server = await start()
    const { url, process } = server
    const { pid } = process
    const target = { port: Number(new URL(url).port), host: '127.0.0.1' }
    expect(await timeHealth(url)).toBeLessThan(healthMaxMs)
    const beforeMb = rssMb(pid)
    for (let i = 0; i < connectionCount; i += 1) {
      // A socket that is paused before it connects takes no byte from the kernel.
      const socket = connect(target).pause()
      socket.on('error', () => {})
      socket.write(request(i).repeat(requestsPerConnection))
      sockets.push(socket)
    }
    const seen = { peakMb: 0, leftoverMb: 0, slowestHealthMs: 0 }
    const measure = async () => {
      seen.slowestHealthMs = Math.max(seen.slowestHealthMs, await timeHealth(url))
      seen.leftoverMb = rssMb(pid) - beforeMb
      seen.peakMb = Math.max(seen.peakMb, seen.leftoverMb)
      await delay(50)
    }
    const watchUntilMs = performance.now() + watchMs
    while (performance.now() < watchUntilMs) await measure()
    const givenBackUntilMs = performance.now() + givenBackWithinMs
    while (seen.leftoverMb > leftoverMaxMb && performance.now() < givenBackUntilMs) await measure()
    expect(seen, JSON.stringify(seen)).toSatisfy(
      () =>
        seen.peakMb <= growthMaxMb && seen.leftoverMb <= leftoverMaxMb && seen.slowestHealthMs <= healthMaxMs,
    )
  },
)

async function timeHealth(url: string): Promise<number> {
  const startedMs = performance.now()
  const { status } = await call(url, { path: '/api/v1/health', headers: { connection: 'close' } })
  expect(status).toBe(200)
  return performance.now() - startedMs
}

function rssMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}
