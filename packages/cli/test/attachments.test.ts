import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Crm } from '@crmkit/sdk'
import { beforeAll, describe, expect, it } from 'vitest'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, makeMachine } from './support/run-crm.ts'
import { startStub } from './support/stub-server.ts'

const atEnd = atSuiteEnd()

let crm: Crm
let env: Record<string, string>
let conversationId: string

beforeAll(async () => {
  const baseUrl = await startServer(atEnd)
  const registered = await new Crm({ baseUrl }).auth.register({
    tenantName: 'Acme',
    email: 'ada@acme.test',
    password: 'correct horse battery',
  })
  const admin = new Crm({ baseUrl, accessToken: registered.accessToken })
  const { key } = await admin.apiKeys.create({
    name: 'files',
    permissions: ['read:conversations', 'write:conversations'],
  })
  env = { CRM_API_KEY: key, CRM_BASE_URL: baseUrl }
  crm = new Crm({ baseUrl, apiKey: key })
  const [inbox] = (await crm.inboxes.list()).data
  conversationId = (await crm.conversations.create({ subject: 'Help', inboxId: inbox?._id ?? '' }))._id
})

const noise = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 31) % 256))
const upload = (name: string, content: Buffer | string = noise) =>
  crm.attachments.create(new File([content], name))

describe('crm conversations reply --attach', () => {
  it('sends files with a message, and download returns the same bytes', async () => {
    const machine = makeMachine()
    writeFileSync(join(machine.directory, 'first.bin'), noise)
    writeFileSync(join(machine.directory, 'second – ü.txt'), 'hello')
    const run = await machine.run(
      [
        'conversations',
        'reply',
        conversationId,
        '--content',
        'Two',
        '--attach',
        'first.bin',
        'second – ü.txt',
        '--json',
      ],
      { env },
    )
    expect(run).toMatchObject({ code: 0 })
    const { attachments } = JSON.parse(run.stdout)
    expect(attachments).toMatchObject([
      { filename: 'first.bin', size: noise.length, contentType: 'application/octet-stream' },
      { filename: 'second – ü.txt', size: 5, contentType: 'text/plain' },
    ])
    const saved = makeMachine()
    for (const { _id } of attachments)
      expect(await saved.run(['attachments', 'download', _id], { env })).toMatchObject({ code: 0 })
    expect(readFileSync(join(saved.directory, 'first.bin')).equals(noise)).toBe(true)
    expect(readFileSync(join(saved.directory, 'second – ü.txt'), 'utf8')).toBe('hello')
    expect(statSync(join(saved.directory, 'first.bin')).mode & 0o777).toBe(0o600)
  })

  it('sends a file with the first message of a new conversation', async () => {
    const machine = makeMachine()
    writeFileSync(join(machine.directory, 'photo.txt'), 'a photo')
    const create = ['conversations', 'create', '--subject', 'Photo', '--attach', 'photo.txt']
    for (const [words, content] of [
      [['--message', 'See this'], 'See this'],
      [[], ''],
    ] as const) {
      const run = await machine.run([...create, ...words, '--quiet'], { env })
      expect(run).toMatchObject({ code: 0 })
      const [message] = (await crm.messages.list(run.stdout.trim())).data
      expect(message).toMatchObject({ content, attachments: [{ filename: 'photo.txt', size: 7 }] })
    }
  })

  it('sends files alone, and saves them as a draft', async () => {
    const machine = makeMachine()
    writeFileSync(join(machine.directory, 'photo.txt'), 'a photo')
    for (const command of ['reply', 'draft']) {
      const args = ['conversations', command, conversationId, '--attach', 'photo.txt', '--json']
      const run = await machine.run(args, { env })
      expect(run).toMatchObject({ code: 0 })
      expect(JSON.parse(run.stdout)).toMatchObject({ content: '', attachments: [{ filename: 'photo.txt' }] })
    }
  })

  it.each([
    ['does not exist', 'none.png', () => {}],
    ['is a folder', 'folder', (at: string) => mkdirSync(at)],
    ['is empty', 'empty.png', (at: string) => writeFileSync(at, '')],
  ])('sends nothing when a file %s', async (_, name, make) => {
    const machine = makeMachine()
    make(join(machine.directory, name))
    const run = await machine.run(
      ['conversations', 'reply', conversationId, '--content', 'x', '--attach', name],
      {
        env: { ...env, CRM_BASE_URL: 'http://127.0.0.1:1' },
      },
    )
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toContain(name)
  })
})

describe('crm attachments download', () => {
  it('overwrites a file only with --force', async () => {
    const machine = makeMachine()
    const { _id } = await upload('notes.txt', 'new')
    const target = join(machine.directory, 'notes.txt')
    writeFileSync(target, 'mine')
    for (const args of [[_id], [_id, 'notes.txt'], [_id, '.']]) {
      const run = await machine.run(['attachments', 'download', ...args], { env })
      expect(run).toMatchObject({ code: 2, stdout: '' })
      expect(run.stderr).toContain('is not overwritten')
      expect(readFileSync(target, 'utf8')).toBe('mine')
    }
    expect(await machine.run(['attachments', 'download', _id, '--force', '-q'], { env })).toMatchObject({
      code: 0,
      stdout: 'notes.txt\n',
    })
    expect(readFileSync(target, 'utf8')).toBe('new')
    expect(readdirSync(machine.directory).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('writes only the bytes of the file to a pipe', async () => {
    const { _id } = await upload('text.txt', 'bytes and no more')
    expect(await makeMachine().run(['attachments', 'download', _id, '-'], { env })).toMatchObject({
      code: 0,
      stdout: 'bytes and no more',
    })
  })

  it.skipIf(!hasPseudoTerminal)('refuses to write a file to a terminal', async () => {
    const { _id } = await upload('text.txt', '\u001b]0;title\u0007')
    const { code, screen } = await makeMachine().runInTerminal(['attachments', 'download', _id, '-'], { env })
    expect(code).toBe(2)
    expect(screen).not.toContain('title\u0007')
  })

  it('ignores a path in the file name of the server', async () => {
    const machine = makeMachine()
    const headers = { 'content-disposition': "attachment; filename*=UTF-8''..%2F..%2Fevil%1B%5B31m.txt" }
    const stub = await startStub({ 'GET /api/v1/attachments/att_1': () => ({ body: 'x', headers }) })
    const run = await machine.run(['attachments', 'download', 'att_1'], {
      env: { ...env, CRM_BASE_URL: stub.baseUrl },
    })
    expect(run).toMatchObject({ code: 0 })
    expect(readdirSync(machine.directory)).toContain('evil[31m.txt')
  })

  it('ends with exit code 3 for an unknown file', async () => {
    expect(await makeMachine().run(['attachments', 'download', 'att_none'], { env })).toMatchObject({
      code: 3,
    })
  })
})

describe('crm attachments upload', () => {
  it('prints ids that a message can attach', async () => {
    const machine = makeMachine()
    writeFileSync(join(machine.directory, 'a.txt'), 'a')
    writeFileSync(join(machine.directory, 'b.txt'), 'b')
    const run = await machine.run(['attachments', 'upload', 'a.txt', 'b.txt', '--quiet'], { env })
    const ids = run.stdout.trim().split('\n')
    expect(ids).toHaveLength(2)
    const message = await crm.messages.create(conversationId, { content: 'Both', attachments: ids })
    expect(message.attachments.map(({ filename }) => filename)).toEqual(['a.txt', 'b.txt'])
  })

  it('prints the error of the server for a file that is too large', async () => {
    const machine = makeMachine()
    writeFileSync(join(machine.directory, 'large.bin'), Buffer.alloc(11 * 1024 * 1024, 'x'))
    const run = await machine.run(['attachments', 'upload', 'large.bin'], { env })
    expect(run.code).toBe(5)
    expect(run.stderr).toContain('at most 10 MB')
  })
})
