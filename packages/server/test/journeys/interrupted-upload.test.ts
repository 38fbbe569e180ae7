import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createRemoveDueAttachments } from '../../src/features/attachments/remove-due-attachments.ts'
import { composeService, type Service } from '../../src/main/compose/service.ts'
import { loadConfig } from '../../src/main/config/config.ts'
import { call, registerTenant, upload } from '../support/call.ts'
import { withDatabase } from '../support/mongo-database.ts'
import { serverProgram, startProgram } from '../support/programs.ts'
import { silentLog } from '../support/silent-log.ts'
import { migratedTestWorld } from '../support/test-world.ts'

const removals: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const remove of removals.splice(0).reverse()) await remove()
})

/** Everything that is stored of bytes, whole or in part. */
async function storedNames(dataDir: string, databaseUrl: string | undefined): Promise<string[]> {
  if (databaseUrl === undefined) {
    const found = await readdir(path.join(dataDir, 'attachments'), { recursive: true, withFileTypes: true })
    return found.filter((entry) => entry.isFile()).map(({ name }) => name)
  }
  return withDatabase(databaseUrl, async (connection) => {
    const chunks = await connection
      .collection('attachmentBytes.chunks')
      .find()
      .project({ files_id: 1 })
      .toArray()
    const files = await connection.collection('attachmentBytes.files').find().project({ _id: 1 }).toArray()
    return [...chunks.map((chunk) => String(chunk['files_id'])), ...files.map((file) => String(file['_id']))]
  })
}

/** Sends the first half of an upload. */
function beginUpload(url: string, token: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="half.bin"\r\n\r\n'
  const lines = [
    'POST /api/v1/attachments HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 4000000',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${head}`)
  socket.write(Buffer.alloc(2_000_000, 'x'))
  return socket
}

it('a server that is killed within an upload stores nothing of it, and keeps all earlier uploads', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-upload-'))
  const world = migratedTestWorld()
  removals.push(() => rm(dataDir, { recursive: true, force: true }), world.remove)
  const variables = { PORT: '0', CRM_DATA_DIR: dataDir, CRM_LOG_LEVEL: 'error', ...world.variables }
  const databaseUrl = world.variables['CRM_DATABASE_URL']
  const stored = () => storedNames(dataDir, databaseUrl)

  const server = await startProgram(serverProgram, ['start'], variables)
  removals.push(() => server.kill('SIGKILL'))
  const { token } = await registerTenant(server.url)
  const whole = await upload(server.url, { token, file: new File(['whole'], 'whole.txt') })
  const inboxes = await call(server.url, { path: '/api/v1/inboxes', token })
  const message = { content: 'Here', attachments: [whole._id] }
  const body = { subject: 'Help', inboxId: inboxes.body.data[0]._id, message }
  await call(server.url, { method: 'POST', path: '/api/v1/conversations', token, body })
  const before = await stored()
  const socket = beginUpload(server.url, token)
  removals.push(async () => socket.destroy())
  await expect.poll(async () => (await stored()).length).toBeGreaterThan(before.length)
  await server.kill('SIGKILL')
  expect((await stored()).length).toBeGreaterThan(before.length)

  const service: Service = await composeService(loadConfig(variables, { dev: false }))
  removals.push(() => service.stop())
  const { storage, attachments } = service
  const sweepIn = (ms: number) => {
    const clock = { nowMs: () => Date.now() + ms }
    return createRemoveDueAttachments({ storage, attachments, clock, log: silentLog }).runDue()
  }
  await sweepIn(0)
  expect((await stored()).length, 'an upload may still be under way').toBeGreaterThan(before.length)
  await sweepIn(61 * 60_000)
  expect(await stored()).toEqual(before)
  expect(await storage.system.across.dueAttachments.due('2999-01-01T00:00:00.000Z', 10)).toEqual([])
})
