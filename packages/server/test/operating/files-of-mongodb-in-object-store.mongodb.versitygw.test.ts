import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../faults/support/erasure-run.ts'
import { call, registerTenant, upload } from '../support/call.ts'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { type Program, runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { startVersitygw, type Versitygw } from '../support/versitygw.ts'

let store: Versitygw
beforeAll(async () => {
  store = await startVersitygw()
})
afterAll(() => store.stop())

async function newInstallation() {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  const place = await store.makeBucket()
  const inStore = { CRM_ATTACHMENTS: place.address, CRM_ATTACHMENTS_KEY: place.key }
  const env = {
    PORT: '0',
    CRM_DATA_DIR: folder,
    CRM_DATABASE_URL: url,
    CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
    CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
    CRM_LOG_LEVEL: 'warn',
  }
  return {
    start: (settings = {}) => startProgram(serverProgram, ['start', '--dev'], { ...env, ...settings }),
    move: (...args: string[]) =>
      runProgram(serverProgram, ['attachments', 'move', ...args], { env: { ...env, ...inStore } }),
    inStore,
    objects: async () => {
      const text = await store.ask(`${new URL(place.address).host}?list-type=2`)
      return [...text.matchAll(/<Key>/g)].length
    },
  }
}

interface Reader {
  token: string
  id: string
}

async function bytesOf({ url }: Program, { token, id }: Reader): Promise<Buffer> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/v1/attachments/${id}`, { headers })
  return Buffer.from(await response.arrayBuffer())
}

// The larger one has two parts.
test('files move from MongoDB into an object store and back, and keep every byte', async () => {
  const { start, move, inStore, objects } = await newInstallation()
  const [small, large] = [Buffer.from('one'), randomBytes(9_900_000)]
  const first = await start()
  const { token } = await registerTenant(first.url)
  const files: { id: string; bytes: Buffer }[] = []
  for (const bytes of [small, large]) {
    const file = new File([new Uint8Array(bytes)], 'file.bin', { type: 'application/octet-stream' })
    files.push({ id: (await upload(first.url, { token, file }))._id, bytes })
  }
  const isWhole = async (program: Program) =>
    Promise.all(files.map(async ({ id, bytes }) => bytes.equals(await bytesOf(program, { token, id }))))
  await first.kill('SIGTERM')
  const second = await start(inStore)
  expect(await isWhole(second)).toEqual([true, true])
  expect((await move()).stderr).toMatch(/^2 files with 9\.9 MB are now s3:.*; 0 are still/)
  expect(await objects()).toBe(2)
  expect(await isWhole(second)).toEqual([true, true])
  await second.kill('SIGTERM')
  expect((await move('--back')).stderr).toMatch(/^2 files with 9\.9 MB are now beside the rows; 0 are/)
  const third = await start()
  expect(await isWhole(third)).toEqual([true, true])
  expect(await objects()).toBe(0)
  await third.kill('SIGTERM')
}, 120_000)

test('a mail and its files are objects, and are read from there', async () => {
  const { start, inStore, objects } = await newInstallation()
  const server = await start(inStore)
  const { token } = await registerTenant(server.url)
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await call(server.url, { method, path, token, ...(body && { body }) })
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
    return reply.body.data
  }
  const inbox = (await ask('GET', '/api/v1/inboxes'))[0]._id
  const address = 'help@acme.test'
  await ask('PUT', `/api/v1/inboxes/${inbox}`, { email: { address, transport: 'none' } })
  const { inboundToken } = await ask('POST', `/api/v1/inboxes/${inbox}/inbound-token`, {})
  const picture = randomBytes(400_000)
  const mail = [
    'From: Ada <ada@example.com>',
    `To: ${address}`,
    'Subject: A lamp',
    'Message-ID: <1@example.com>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'It is broken.',
    '--b',
    'Content-Type: image/png; name=lamp.png',
    'Content-Disposition: attachment; filename=lamp.png',
    'Content-Transfer-Encoding: base64',
    '',
    picture.toString('base64').replace(/.{76}/g, '$&\r\n'),
    '--b--',
    '',
  ]
  const response = await fetch(`${server.url}/api/v1/inbound/email/${inboundToken}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822' },
    body: mail.join('\r\n'),
  })
  expect(response.status).toBe(200)
  const { data } = (await response.json()) as { data: { _id: string } }
  await expect
    .poll(async () => (await ask('GET', `/api/v1/inbound-mails/${data._id}`)).status, { timeout: 20_000 })
    .toBe('processed')
  const { conversationId } = await ask('GET', `/api/v1/inbound-mails/${data._id}`)
  const [message] = await ask('GET', `/api/v1/conversations/${conversationId}/messages`)
  const [file] = message.attachments
  expect(await bytesOf(server, { token, id: file._id })).toEqual(picture)
  // The mail as it arrived, and its picture.
  expect(await objects()).toBe(2)
  await server.kill('SIGTERM')
}, 120_000)
