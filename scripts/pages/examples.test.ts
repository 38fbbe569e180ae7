import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Crm } from '../../packages/sdk/src/index.ts'
import {
  type Program,
  runProgram,
  serverProgram,
  startProgram,
} from '../../packages/server/test/support/programs.ts'
import { root } from './page.ts'

// The examples that are programs against a server. Examples with a framework have their tests beside them.

const dataDir = mkdtempSync(join(tmpdir(), 'crmkit-examples-'))
let server: Program
let crm: Crm
let env: Record<string, string>

beforeAll(async () => {
  server = await startProgram(serverProgram, ['start', '--dev'], { PORT: '0', CRM_DATA_DIR: dataDir })
  const baseUrl = server.url
  const person = { email: 'ada@example.com', password: 'correct horse battery' }
  const { accessToken } = await new Crm({ baseUrl }).auth.register({ tenantName: 'Engines', ...person })
  crm = new Crm({ baseUrl, accessToken })
  const permissions = [
    'read:customers',
    'write:customers',
    'read:conversations',
    'write:conversations',
  ] as const
  const { key } = await crm.apiKeys.create({ name: 'examples', permissions: [...permissions] })
  env = { CRM_BASE_URL: baseUrl, CRM_API_KEY: key }
})
afterAll(async () => {
  await server.kill('SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
})

it('shop-sync makes one customer of each shop customer, however often and in parallel it runs', async () => {
  const run = () => runProgram('examples/shop-sync/sync.ts', [], { env })
  const runs = [...(await Promise.all([run(), run()])), await run()]
  for (const one of runs) expect(one).toMatchObject({ code: 0, stderr: '' })
  const customers = await crm.customers.list({ tags: ['shop'] }).toArray()
  const shown = customers.map(({ profile, tier }) => [profile.email, tier])
  expect(shown.sort()).toEqual([
    ['grace@example.com', 'gold'],
    ['jean@example.com', 'bronze'],
  ])
})

it('the bot replies once to the first message of a conversation, and to no later one', async () => {
  const inboxId = (await crm.inboxes.list()).data[0]?._id ?? ''
  const inbound = (content: string) => ({ content, direction: 'inbound' as const })
  const bot = { ...env, BOT_AFTER: 'earliest' }
  const started = await crm.conversations.create({ subject: 'Help', inboxId, message: inbound('Hello?') })
  const repliesTo = async (id: string) =>
    (await crm.messages.list(id).toArray()).filter(({ direction }) => direction === 'outbound').length
  const stop = Promise.withResolvers<void>()
  const running = runProgram('examples/bot/bot.ts', [], {
    env: bot,
    onStart: (child) => void stop.promise.then(() => child.kill('SIGTERM')),
  })
  await expect.poll(() => repliesTo(started._id)).toBe(1)
  await crm.messages.create(started._id, inbound('Are you there?'))
  // A later conversation is behind the second message in the stream.
  const later = await crm.conversations.create({ subject: 'Another', inboxId, message: inbound('Hi') })
  await expect.poll(() => repliesTo(later._id)).toBe(1)
  expect(await repliesTo(started._id)).toBe(1)
  stop.resolve()
  expect((await running).stdout.match(/replied to/g)).toHaveLength(2)
})

it('the mail forwarder stores a mail once, however often it runs, and fails where the mail is not stored', async () => {
  const { _id: inboxId = '' } = (await crm.inboxes.list()).data[0] ?? {}
  await crm.inboxes.update(inboxId, { email: { address: 'support@example.com' } })
  const { inboundToken } = await crm.inboxes.makeInboundToken(inboxId, {})
  const run = (token: string) => {
    const url = `${server.url}/api/v1/inbound/email/${token}`
    return runProgram('examples/mail-forwarder/forwarder.ts', [], { env: { CRM_INBOUND_URL: url } })
  }
  for (const one of [await run(inboundToken), await run(inboundToken)])
    expect(one).toMatchObject({ code: 0, stdout: 'local-mail is stored\n', stderr: '' })
  const mails = async () => (await crm.mails.list()).data
  await expect.poll(async () => (await mails())[0]?.status).toBe('processed')
  expect(await mails()).toMatchObject([
    { envelope: { from: 'ada@example.com', to: ['support@example.com'] }, subject: 'My lamp is broken' },
  ])
  const failed = await run('imt_unknown')
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('responded with 404')])
})

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('left out: the example in Python: python3 is not installed\n')

it.skipIf(!hasPython)(
  'the example in Python makes a conversation, walks a list and reads a refusal',
  async () => {
    const options = { env: { ...process.env, ...env } }
    const { stdout } = await promisify(execFile)(
      'python3',
      [join(root, 'examples/python/client.py')],
      options,
    )
    expect(stdout).toMatch(/^con_\w+ Hello from Python$/m)
    expect(stdout).toMatch(/^404 NOT_FOUND$/m)
  },
  60_000,
)
