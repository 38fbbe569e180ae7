import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PackageKind, packageKinds } from '@crmkit/core/package'
import { openPackage } from '@crmkit/core/package-folder'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bytesOf } from '../../../examples/zendesk-emulator/src/account.ts'
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../../examples/zendesk-emulator/src/start-emulator.ts'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { newFolder, recordsOf, runKilled } from './support/reader-process.ts'
import { hasPseudoTerminal, makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()
/** Small pages, so that there are many places to go on. */
const account = { tickets: 60, pageMax: 7 } as const satisfies EmulatorOptions

let whole: Emulator
let wholeFolder: string
const machine = makeMachine(atEnd)
beforeAll(async () => {
  whole = await startEmulator(account)
  atEnd(() => whole.close())
  wholeFolder = join(machine.directory, 'whole')
  const run = await machine.run(argsOf(whole, wholeFolder), { env: envOf(whole) })
  expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('conversations\t58\t2')])
})

async function open(options: EmulatorOptions = account): Promise<Emulator> {
  const emulator = await startEmulator(options)
  onTestFinished(() => emulator.close())
  return emulator
}

function argsOf(emulator: Emulator, folder: string, ...further: string[]): string[] {
  return ['migrate', 'zendesk', folder, '--url', emulator.url, '--email', emulator.email, ...further]
}

function envOf(emulator: Emulator, token = emulator.apiToken) {
  return { CRM_CONNECTOR_HOSTS: emulator.hosts, CRM_MIGRATE_TOKEN: token }
}

/** Reads the account; returns the error. */
async function read(emulator: Emulator, folder: string, env = envOf(emulator)): Promise<string> {
  const { code, stderr } = await machine.run(argsOf(emulator, folder), { env })
  return code === 0 ? '' : stderr
}

/** Everything that a package says, without the addresses of its emulator. */
async function contentsOf(folder: string): Promise<Record<string, unknown>> {
  const withoutPort = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(/127\.0\.0\.1:\d+/g, 'host'))
  const contents: Record<string, unknown> = {}
  const { manifest } = await openPackage(folder)
  const records = async (kind: PackageKind) => {
    contents[kind] = withoutPort(await recordsOf(folder, kind))
  }
  for (const kind of packageKinds) await records(kind)
  return { ...contents, counts: manifest.counts, leftOut: manifest.leftOut }
}

describe('crm migrate zendesk', () => {
  it('writes a package whose files are those of its manifest, each reference of which leads to a record', async () => {
    const opened = await openPackage(wholeFolder)
    await opened.verify()
    expect(opened.manifest).toMatchObject({
      source: { product: 'zendesk', account: whole.host },
      since: null,
      complete: true,
    })
    const idsOf = async (kind: 'people' | 'agents' | 'conversations' | 'attachments' | 'inboxes') =>
      new Set((await recordsOf(wholeFolder, kind)).map(({ id }) => id))
    const [people, agents, conversations, attachments, inboxes] = await Promise.all(
      (['people', 'agents', 'conversations', 'attachments', 'inboxes'] as const).map(idsOf),
    )
    const lacking = (ids: ReadonlySet<string> | undefined, id: string | null | undefined) =>
      id != null && !ids?.has(id)
    for (const row of await recordsOf(wholeFolder, 'conversations'))
      expect([
        lacking(people, row.personId),
        lacking(agents, row.assigneeId),
        lacking(inboxes, row.inboxId),
      ]).toEqual([false, false, false])
    for (const row of await recordsOf(wholeFolder, 'messages')) {
      expect(lacking(conversations, row.conversationId)).toBe(false)
      expect(row.attachmentIds?.some((id) => lacking(attachments, id))).toBe(false)
    }
  })

  it('keeps direction, visibility, authors, times and Message-IDs of comments', async () => {
    const messages = await recordsOf(wholeFolder, 'messages')
    const ofTicket = messages.filter(({ conversationId }) => conversationId === '2')
    expect(ofTicket.map(({ direction, author }) => [direction, author.type, author.id])).toEqual([
      ['inbound', 'person', '10001'],
      ['outbound', 'agent', '1001'],
    ])
    expect(ofTicket[0]).toMatchObject({
      contentType: 'html',
      createdAt: '2023-01-01T00:30:00.000Z',
      messageId: '<m-20000@mail.example.com>',
      to: [{ address: 'support@acme.test' }],
      cc: [{ address: 'boss@example.com' }],
    })
    const notes = await recordsOf(wholeFolder, 'notes')
    expect(notes.find(({ conversationId }) => conversationId === '2')?.author.type).toBe('agent')
  })

  it('takes who neither asked nor got copies for a former agent', async () => {
    const messages = await recordsOf(wholeFolder, 'messages')
    const former = messages.filter(({ author }) => author.name === 'Former Agent')
    expect(former.length).toBeGreaterThan(0)
    for (const { direction, author } of former)
      expect([direction, author.type, author.id]).toEqual(['outbound', 'agent', null])
  })

  it('keeps further addresses, blocks, suppressions and own fields of people', async () => {
    const people = await recordsOf(wholeFolder, 'people')
    const second = people.find(({ id }) => id === '10002')
    expect(second?.emails?.map(({ address }) => address)).toEqual([
      'customer2@example.com',
      'second-10002@example.org',
    ])
    expect(people.find(({ id }) => id === '10000')).toMatchObject({
      organisationId: '500',
      tags: ['vip'],
      customFields: { Plan: 'gold', 'External id': 'shop-0' },
    })
    const suppressed = await recordsOf(wholeFolder, 'suppressions')
    expect(suppressed).toContainEqual({
      address: 'second-10002@example.org',
      reason: 'Undeliverable at Zendesk',
    })
  })

  it('stores files, and pictures of a text under the ids that the text names', async () => {
    const attachments = await recordsOf(wholeFolder, 'attachments')
    const picture = attachments.find(({ isInline }) => isInline)
    const opened = await openPackage(wholeFolder)
    const bytes = await readFile(opened.bytesPath(picture?.sha256 ?? ''))
    expect(bytes.equals(bytesOf(`t${picture?.id}`))).toBe(true)
    const messages = await recordsOf(wholeFolder, 'messages')
    const shown = messages.find(({ attachmentIds }) => attachmentIds?.includes(picture?.id ?? ''))
    expect(shown?.content).toContain(`<img src="cid:${picture?.id}">`)
  })

  it('makes calls of voice comments, with their recordings', async () => {
    const [call] = await recordsOf(wholeFolder, 'calls')
    expect(call).toMatchObject({
      from: '+15550001111',
      to: '+15550002222',
      durationSeconds: 63,
      agentId: '1000',
      notes: 'Hello, it does not work.\n\nLocation: Berlin',
    })
    const attachments = await recordsOf(wholeFolder, 'attachments')
    expect(attachments.find(({ id }) => id === call?.attachmentIds?.[0])?.sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it('keeps ratings, labels, own fields, previous tickets and words of states', async () => {
    const ratings = await recordsOf(wholeFolder, 'ratings')
    expect(ratings.slice(0, 2)).toMatchObject([
      { conversationId: '1', score: 1, scale: 1, comment: 'Quick reply' },
      { conversationId: '11', score: 0, scale: 1 },
    ])
    const conversations = await recordsOf(wholeFolder, 'conversations')
    const byId = new Map(conversations.map((row) => [row.id, row]))
    expect(byId.get('4')).toMatchObject({ status: 'pending', statusWord: 'hold', labels: ['topic-3'] })
    expect(byId.get('4')?.customFields).toMatchObject({ 'Order number': 'A-4' })
    expect(byId.get('5')).toMatchObject({ status: 'closed', closedAt: '2023-01-01T03:00:00.000Z' })
    expect(byId.get('11')?.previousId).toBe('10')
  })

  it('names what it leaves out, with the number and the reason', async () => {
    const { leftOut } = (await openPackage(wholeFolder)).manifest
    expect(leftOut).toEqual(
      expect.arrayContaining([
        { kind: 'conversations', count: 2, reason: 'Deleted at the source' },
        { kind: 'merges', count: 2, reason: 'A merged ticket names its target in words only' },
        { kind: 'replies', count: 1, reason: 'The macro writes no text' },
      ]),
    )
  })

  it('keeps the token out of the folder, and sends it to no other host', async () => {
    const names = await readdir(wholeFolder, { recursive: true, withFileTypes: true })
    for (const file of names.filter((one) => one.isFile())) {
      const text = await readFile(join(file.parentPath, file.name), 'utf8')
      expect(text).not.toContain(whole.apiToken)
    }
    expect(whole.fileRequests.length).toBeGreaterThan(0)
    expect(whole.fileRequests.filter(({ authorization }) => authorization !== undefined)).toEqual([])
  })

  it('goes on after kills: the package is the one of a reader that nobody killed', async () => {
    const emulator = await open()
    const folder = newFolder()
    const env = envOf(emulator)
    for (let kills = 0; kills < 4; kills += 1) {
      const asked = emulator.log.length
      const isTime = () => emulator.log.length > asked + 20 + kills
      expect(await runKilled(argsOf(emulator, folder), { env, isTime })).toBe(true)
      expect(existsSync(join(folder, 'manifest.json'))).toBe(false)
    }
    expect(await read(emulator, folder, env)).toBe('')
    expect(await contentsOf(folder)).toEqual(await contentsOf(wholeFolder))
  })

  it('waits as long as the source asks, and tries again after responses that are none', async () => {
    const emulator = await open({ ...account, exports: { max: 3, windowMs: 1_500 } })
    const folder = newFolder()
    const at = '/api/v2/tickets/3/comments'
    const actions = [
      { status: 429, retryAfter: 0 },
      { status: 503, retryAfter: 0 },
      { status: 200, body: { count: 0 }, retryAfter: 0 },
      'truncated-json',
    ] as const
    for (const [index, action] of actions.entries())
      emulator.faults.add({ match: at, from: index + 1, action: action })
    emulator.faults.add({ match: '/attachments/', from: 2, action: 'reset' })
    expect(await read(emulator, folder)).toBe('')
    expect(emulator.log.some(({ status }) => status === 429)).toBe(true)
    expect(emulator.faults.played).toBeGreaterThanOrEqual(4)
    expect(await contentsOf(folder)).toEqual(await contentsOf(wholeFolder))
  })

  it('follows no redirect of the API, so that the token stays with its host', async () => {
    const emulator = await open()
    const other = await open()
    emulator.faults.add({ match: '/api/v2/users/me', action: { redirect: `${other.url}/api/v2/users/me` } })
    const run = await machine.run(argsOf(emulator, newFolder()), { env: envOf(emulator) })
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('redirects are not followed')])
    expect(other.log).toEqual([])
  })

  it('asks for files at no private address, and names those that it could not get', async () => {
    const emulator = await open({ tickets: 4, comments: 1 })
    const folder = newFolder()
    // The host of the files is not named, and it is this machine.
    const env = { ...envOf(emulator), CRM_CONNECTOR_HOSTS: emulator.host }
    expect(await read(emulator, folder, env)).toBe('')
    const [file] = await recordsOf(folder, 'attachments')
    expect(file).toMatchObject({ sha256: null, missing: 'its address is not encrypted' })
    expect(emulator.fileRequests).toEqual([])
  })

  it('stops at the fourth redirect of a file, and names the response of one that was deleted', async () => {
    const emulator = await open({ tickets: 8, comments: 1 })
    emulator.faults.add({
      match: '/attachments/token/t400001/',
      to: 4,
      action: { redirect: '/attachments/token/t400001/' },
    })
    emulator.faults.add({ match: '/attachments/token/t600000/', action: { status: 404 } })
    const folder = newFolder()
    expect(await read(emulator, folder)).toBe('')
    const missing = (await recordsOf(folder, 'attachments')).map(({ id, missing: reason }) => [
      id,
      reason ?? null,
    ])
    expect(missing).toEqual([
      ['400001', 'it has more than 3 redirects'],
      ['600000', 'the source answered with 404'],
      ['800001', null],
    ])
  })

  it('reads with --sync what changed since, each ticket whole, into a package that names nobody it lacks', async () => {
    const emulator = await open({ tickets: 12, comments: 2 })
    const folder = newFolder()
    const env = envOf(emulator)
    const early = await machine.run(argsOf(emulator, folder, '--sync'), { env })
    expect([early.code, early.stderr]).toEqual([5, expect.stringContaining('was not read to its end')])
    expect(await read(emulator, folder, env)).toBe('')
    emulator.account.change(3, { status: 'solved' }, 'It works now')
    expect(await machine.run(argsOf(emulator, folder, '--sync'), { env })).toMatchObject({ code: 0 })
    const sync = join(folder, 'sync-0001')
    const { manifest } = await openPackage(sync)
    expect(manifest.since).toBe((await openPackage(folder)).manifest.madeAt)
    expect(await recordsOf(sync, 'conversations')).toMatchObject([
      { id: '3', status: 'closed', personId: '10002' },
    ])
    expect((await recordsOf(sync, 'messages')).map(({ content }) => content).at(-1)).toBe('It works now')
    const [person] = await recordsOf(sync, 'people')
    expect(person?.emails?.length).toBe(2)
    expect((await recordsOf(sync, 'agents')).length).toBe(3)
    expect((await recordsOf(sync, 'inboxes')).length).toBe(1)
    expect(await machine.run(argsOf(emulator, folder, '--sync'), { env })).toMatchObject({ code: 0 })
    expect((await openPackage(join(folder, 'sync-0002'))).manifest.since).toBe(manifest.madeAt)
  })

  it('takes hostile values for values', async () => {
    const emulator = await open({ tickets: 2, comments: 1 })
    emulator.account.change(1, {
      subject: `\u001b[31m${'x'.repeat(20_000)}`,
      tags: ['__proto__', '', 7, 'y'.repeat(500)],
      custom_fields: [
        { id: 360, value: 'z'.repeat(40_000) },
        { id: '__proto__', value: { polluted: true } },
      ],
      created_at: 'yesterday',
      priority: 'constructor',
      recipient: '__proto__',
    })
    const folder = newFolder()
    expect(await read(emulator, folder)).toBe('')
    const [row] = await recordsOf(folder, 'conversations')
    expect(row).toMatchObject({ id: '1', priority: null, inboxId: null })
    expect([row?.subject.length, row?.labels]).toEqual([10_000, ['__proto__', 'y'.repeat(200)]])
    expect(row?.customFields).toMatchObject({ '__proto__ (field)': { polluted: true } })
    expect((await openPackage(folder)).manifest.leftOut?.map(({ kind }) => kind)).toContain('customFields')
  })

  it.each([
    ['a refused token', { token: 'wrong' }, 4, 'SOURCE_CREDENTIAL'],
    ['no token', { token: '' }, 2, 'CRM_MIGRATE_TOKEN'],
    ['a host without TLS that nobody named', { hosts: '' }, 2, 'https'],
  ])('refuses %s', async (_, { token, hosts }: { token?: string; hosts?: string }, code, words) => {
    const env = { ...envOf(whole, token), ...(hosts !== undefined && { CRM_CONNECTOR_HOSTS: hosts }) }
    const run = await machine.run(argsOf(whole, newFolder()), { env })
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(words)])
  })

  it('reads into no folder of another account, and into none that somebody else filled', async () => {
    const other = await open()
    const run = await machine.run(argsOf(other, wholeFolder), { env: envOf(other) })
    expect([run.code, run.stderr]).toEqual([5, expect.stringContaining(`holds zendesk:${whole.host}`)])
    const foreign = await machine.run(argsOf(other, machine.directory), { env: envOf(other) })
    expect([foreign.code, foreign.stderr]).toEqual([5, expect.stringContaining('is not empty')])
  })

  it('reads a complete folder no second time', async () => {
    const asked = whole.log.length
    const run = await machine.run(argsOf(whole, wholeFolder), { env: envOf(whole) })
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('is complete')])
    expect(whole.log.length).toBe(asked)
  })

  it.skipIf(!hasPseudoTerminal)('asks for the token on a terminal, and does not show it', async () => {
    const emulator = await open({ tickets: 1 })
    const folder = newFolder()
    const { code, screen } = await machine.runInTerminal(argsOf(emulator, folder), {
      env: { CRM_CONNECTOR_HOSTS: emulator.hosts },
      responses: [['Token of the account', `${emulator.apiToken}\r`]],
    })
    expect([code, screen]).toEqual([0, expect.stringContaining('In the package')])
    expect(screen).not.toContain(emulator.apiToken)
  })
})
