import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAttachments } from '../../src/main/compose/databases.ts'
import { registerTenant, upload } from '../support/call.ts'
import { makeCertificate } from '../support/https-receiver.ts'
import { type Finished, runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { startSmtpReceiver } from '../support/smtp-receiver.ts'
import { newTestWorld, type TestWorld } from '../support/test-world.ts'

// `crm-server doctor` as an operator runs it, on data that a real server has written.

let dataDir: string
let world: TestWorld
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-doctor-'))
  world = newTestWorld()
})
afterEach(async () => {
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

const environment = () => ({ PORT: '0', CRM_DATA_DIR: dataDir, ...world.variables })
const databaseUrl = () => world.variables['CRM_DATABASE_URL'] ?? `sqlite:${path.join(dataDir, 'crm.sqlite')}`
const doctor = (args: string[] = [], env: Record<string, string> = {}) =>
  runProgram(serverProgram, ['doctor', ...args], { env: { ...environment(), ...env } })
const start = () => startProgram(serverProgram, ['start', '--dev'], environment())
/** The lines that begin with this mark. */
const marked = ({ stdout }: Finished, mark: string) =>
  stdout.split('\n').filter((line) => line.startsWith(mark))

async function uploadFile(url: string, text: string) {
  const { token, tenant } = await registerTenant(url)
  const file = new File([text], 'notes.txt', { type: 'text/plain' })
  const { _id: id } = await upload(url, { token, file })
  return { id: id as string, tenantId: tenant._id as string }
}

/** A form whose file begins and never ends. */
function endlessForm() {
  const boundary = 'b'
  const { promise: sent, resolve } = Promise.withResolvers<void>()
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`
  const chunks = [head, 'x'.repeat(200_000)]
  const body = new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk === undefined) {
        resolve()
        return new Promise<void>(() => undefined)
      }
      controller.enqueue(new TextEncoder().encode(chunk))
      return undefined
    },
  })
  return { body, boundary, sent }
}

test('a service that works has no problem, while it runs and afterwards, as lines and as JSON', async () => {
  const server = await start()
  await uploadFile(server.url, 'Hello')
  const running = await doctor()
  expect(running).toMatchObject({ code: 0, stderr: '' })
  expect(marked(running, '✗')).toEqual([])
  expect(marked(running, '✓').length).toBeGreaterThan(8)
  await server.kill('SIGTERM')
  const stopped = await doctor(['--all', '--json'])
  expect(stopped).toMatchObject({ code: 0, stderr: '' })
  const report = JSON.parse(stopped.stdout) as { isWell: boolean; findings: { subject: string }[] }
  expect(report.isWell).toBe(true)
  const subjects = new Set(report.findings.map(({ subject }) => subject))
  for (const subject of ['settings', 'database', 'disk', 'secrets', 'redis', 'webhooks', 'attachments'])
    expect(subjects).toContain(subject)
})

test('a secrets key that is not that of the database is a problem, with which no server starts', async () => {
  const server = await start()
  await server.kill('SIGTERM')
  const found = await doctor([], { CRM_SECRETS_KEY: 'another key of at least 32 bytes for this test' })
  expect(found.code).toBe(1)
  expect(marked(found, '✗')).toEqual([expect.stringContaining('encrypted with another secrets key')])
  expect(found.stdout).toContain('Set CRM_SECRETS_KEY to the earlier key')
})

test('attachments without their bytes, with too few or others, and bytes without an attachment are found by name', async () => {
  const server = await start()
  const lost = await uploadFile(server.url, 'These bytes are removed')
  const short = await uploadFile(server.url, 'These bytes are cut')
  const changed = await uploadFile(server.url, 'These bytes are changed')
  await uploadFile(server.url, 'These bytes stay')
  await server.kill('SIGTERM')
  const store = await openAttachments({ databaseUrl: databaseUrl(), attachments: undefined })
  const bytes = async function* (text: string) {
    yield Buffer.from(text)
  }
  await store.remove(lost)
  await store.write(short, bytes('These'))
  await store.write(changed, bytes('These bytes are chinged'))
  const stray = { tenantId: lost.tenantId, id: lost.id.replace(/.$/, (end) => (end === '0' ? '1' : '0')) }
  await store.write(stray, bytes('nothing points here'))
  await store.close()

  const found = await doctor()
  expect(found.code).toBe(1)
  const [problem = '', ...others] = marked(found, '✗')
  expect(others).toEqual([])
  expect(problem).toContain('Of all 4 attachments, 3 have no bytes, too few or others')
  expect(problem).toContain(`${lost.id} (no bytes)`)
  expect(problem).toContain(`${short.id} (5 bytes instead of 19)`)
  expect(problem).toContain(`${changed.id} (other bytes)`)
  const warnings = marked(found, '!').filter((line) => line.includes('attachments'))
  expect(warnings).toEqual([expect.stringContaining(stray.id)])
})

test('an upload that a kill has cut is no attachment that is stored in full, and is named as such', async () => {
  const server = await start()
  const { tenantId } = await uploadFile(server.url, 'These bytes stay')
  const { token } = await registerTenant(server.url)
  const { body, boundary, sent } = endlessForm()
  const upload = fetch(`${server.url}/api/v1/attachments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body,
    duplex: 'half',
  }).catch(() => undefined)
  await sent
  const named = async () => marked(await doctor(), '✓').filter((line) => line.includes('attachments'))
  await expect
    .poll(async () => (await doctor()).stdout)
    .toContain('1 uploads are under way or were cut: att_')
  await server.kill('SIGKILL')
  await upload
  expect(tenantId).toMatch(/^ten_/)
  expect((await named())[0]).toContain('The bytes of all 1 attachments are stored in full')
  expect((await doctor()).stdout).toContain('1 uploads are under way or were cut: att_')
})

test('a file in the directory of attachments that is none of the service is named', async () => {
  const server = await start()
  const { tenantId } = await uploadFile(server.url, 'These bytes stay')
  await server.kill('SIGTERM')
  if (world.variables['CRM_DATABASE_URL'] !== undefined) return
  const root = path.join(dataDir, 'attachments')
  writeFileSync(path.join(root, 'notes.txt'), 'of an operator')
  writeFileSync(path.join(root, tenantId, 'old.bak'), 'of an operator')
  const [warning = ''] = marked(await doctor(), '!').filter((line) => line.includes('none of the service'))
  expect(warning).toContain('notes.txt')
  expect(warning).toContain(path.join(tenantId, 'old.bak'))
})

test('files that other users of the machine can open, and a file without certificates, are problems with a command', async () => {
  const server = await start()
  await server.kill('SIGTERM')
  const secret = path.join(dataDir, 'jwt-secret')
  writeFileSync(secret, 'a secret of the tests, which is long enough to be one')
  writeFileSync(path.join(dataDir, 'ca.pem'), 'no certificate')
  const closed = await doctor([], { CRM_WEBHOOK_CA_FILE: path.join(dataDir, 'ca.pem') })
  expect(marked(closed, '✗')).toEqual([expect.stringContaining('holds no PEM certificate')])
  chmodSync(dataDir, 0o755)
  chmodSync(secret, 0o644)
  const open = await doctor()
  expect(open.code).toBe(1)
  expect(open.stdout).toContain(`chmod 700 ${dataDir}`)
  expect(open.stdout).toContain(`chmod 600 ${secret}`)
})

test('settings that the server refuses are problems, one for each', async () => {
  const found = await doctor([], { CRM_ENVIRONMENT: 'production', CRM_JWT_SECRET: '', CRM_SECRETS_KEY: '' })
  expect(found.code).toBe(1)
  expect(marked(found, '✗')).toEqual([
    expect.stringContaining('CRM_JWT_SECRET is required'),
    expect.stringContaining('CRM_SECRETS_KEY is required'),
  ])
})

test('a mail relay is tried up to the sign-in, and a sentence says which step fails', async () => {
  const server = await start()
  await server.kill('SIGTERM')
  const line = async (url?: string) => {
    const env = url === undefined ? {} : { CRM_SMTP_URL: url, CRM_MAIL_FROM: 'crm@example.com' }
    const found = await doctor([], { ...env, CRM_MAIL_CA_FILE: certificate.caFile })
    return { code: found.code, line: found.stdout.split('\n').find((text) => /^. mail /.test(text)) }
  }
  const certificate = await makeCertificate()
  const relay = await startSmtpReceiver({ certificate, security: 'tls', password: 'right' })
  try {
    const { port } = relay
    expect(await line()).toEqual({ code: 0, line: expect.stringContaining('✓ mail') })
    const works = await line(`smtps://crm:right@localhost:${port}`)
    expect(works).toEqual({
      code: 0,
      line: expect.stringContaining(`localhost:${port} accepts the sign-in.`),
    })
    const wrong = await line(`smtps://crm:wrong@localhost:${port}`)
    expect(wrong).toEqual({
      code: 1,
      line: expect.stringMatching(/✗ mail.*refuses the user or the password/),
    })
    expect(wrong.line).not.toContain(':wrong')
    const nameless = await line('smtps://nowhere.invalid')
    expect(nameless).toEqual({
      code: 1,
      line: expect.stringMatching(/nowhere\.invalid:465 cannot be used: /),
    })
    await relay.stop()
    const gone = await line(`smtps://crm:right@localhost:${port}`)
    expect(gone).toEqual({ code: 1, line: expect.stringContaining('Nothing listens at port') })
    expect(relay.mails).toEqual([])
  } finally {
    certificate.remove()
  }
})
