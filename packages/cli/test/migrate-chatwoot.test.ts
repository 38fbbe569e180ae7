import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPackage } from '@crmkit/core/package-folder'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../../examples/chatwoot-emulator/src/start-emulator.ts'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { newFolder, recordsOf, runKilled } from './support/reader-process.ts'
import { makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()
const machine = makeMachine(atEnd)
let whole: Emulator
let folder: string
beforeAll(async () => {
  whole = await startEmulator({ conversations: 60, messages: 26 })
  atEnd(() => whole.close())
  folder = join(machine.directory, 'whole')
  expect(await read(whole, folder)).toBe('')
})

async function open(options: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(options)
  onTestFinished(() => emulator.close())
  return emulator
}

const argsOf = ({ url, accountId }: Emulator, into: string) => [
  'migrate',
  'chatwoot',
  into,
  '--url',
  url,
  '--account',
  accountId,
]
const envOf = ({ host, token }: Emulator) => ({ CRM_CONNECTOR_HOSTS: host, CRM_MIGRATE_TOKEN: token })

/** Reads the account; returns the error. */
async function read(emulator: Emulator, into: string, ...further: string[]): Promise<string> {
  const run = await machine.run([...argsOf(emulator, into), ...further], { env: envOf(emulator) })
  return run.code === 0 ? '' : run.stderr
}

describe('crm migrate chatwoot', () => {
  it('reads conversations of every state with all their messages, the oldest first', async () => {
    await (await openPackage(folder)).verify()
    const conversations = await recordsOf(folder, 'conversations')
    expect(conversations.length).toBe(60)
    expect(new Set(conversations.map(({ status }) => status))).toEqual(
      new Set(['open', 'closed', 'pending', 'snoozed']),
    )
    const messages = await recordsOf(folder, 'messages')
    const ofOne = messages
      .filter(({ conversationId }) => conversationId === '3')
      .map(({ createdAt }) => createdAt)
    // Of six, one is a note and one an activity.
    expect(ofOne.length).toBe(18)
    expect(ofOne).toEqual([...ofOne].sort())
  })

  it('names the authors: customers, agents, and the system for templates and bots', async () => {
    const messages = (await recordsOf(folder, 'messages')).filter(
      ({ conversationId }) => conversationId === '3',
    )
    expect(messages.slice(0, 4).map(({ direction, author }) => [direction, author.type, author.id])).toEqual([
      ['inbound', 'person', '2'],
      ['outbound', 'agent', '1'],
      ['outbound', 'system', null],
      ['outbound', 'system', null],
    ])
    expect(messages[0]).toMatchObject({
      contentType: 'html',
      content: '<p>Mail 3000</p>',
      messageId: 'm-3000@mail.example.com',
      cc: [{ address: 'boss@example.com' }],
    })
  })

  it('keeps contacts that only a conversation names, their own fields, labels, notes and blocks', async () => {
    const people = await recordsOf(folder, 'people')
    expect(people.length).toBe(30)
    expect(people.find(({ id }) => id === '1')).toMatchObject({
      company: 'Example Works',
      tags: ['vip'],
      customFields: { Plan: 'gold', city: 'Berlin' },
    })
    expect(people.find(({ id }) => id === '8')?.isBlocked).toBe(true)
    const notes = await recordsOf(folder, 'notes')
    expect(notes.find(({ personId }) => personId === '1')).toMatchObject({
      content: 'Calls back',
      author: { id: '1' },
    })
  })

  it('keeps files with the names of their addresses, places, deleted texts, labels, ratings and canned responses', async () => {
    const [file] = await recordsOf(folder, 'attachments')
    expect(file).toMatchObject({ filename: 'my report.pdf', size: 320 })
    const messages = await recordsOf(folder, 'messages')
    expect(messages.find(({ id }) => id === '4000')?.content).toContain('Location: Berlin – 52.5, 13.4')
    expect(messages.find(({ id }) => id === '7001')?.content).toBe('(removed at the source)')
    expect(await recordsOf(folder, 'labels')).toMatchObject([{ name: 'billing', color: '#f00' }])
    expect((await recordsOf(folder, 'ratings'))[0]).toMatchObject({ score: 4, scale: 5, comment: 'Good' })
    expect(await recordsOf(folder, 'replies')).toMatchObject([{ shortcut: 'hi', contentType: 'markdown' }])
  })

  it('names what it leaves out', async () => {
    const { leftOut } = (await openPackage(folder)).manifest
    expect(leftOut).toEqual(
      expect.arrayContaining([
        { kind: 'messages', count: 240, reason: 'A line about what happened, not a message' },
        expect.objectContaining({ kind: 'people', count: null }),
      ]),
    )
  })

  it('takes no password of an inbox along, and keeps the token to itself', async () => {
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('json'))) {
      const text = await readFile(join(folder, file), 'utf8')
      for (const secret of ['imap-secret', 'smtp-secret', whole.token]) expect(text).not.toContain(secret)
    }
  })

  it('misses no conversation that moves to another page meanwhile', async () => {
    const emulator = await open({ conversations: 60, messages: 1 })
    const into = newFolder()
    const running = read(emulator, into)
    await expect
      .poll(() => emulator.log.some((path) => path.includes('conversations/40/messages')))
      .toBe(true)
    // These move before what was read; others move to a page that was read.
    for (const id of [2, 3, 4, 5]) emulator.account.write(id, 'Moved')
    expect(await running).toBe('')
    expect((await recordsOf(into, 'conversations')).length).toBe(60)
  })

  it('goes on after kills, and doubles nothing', async () => {
    const emulator = await open({ conversations: 60, messages: 26 })
    const into = newFolder()
    for (const requests of [15, 60, 110]) {
      const asked = emulator.log.length
      const isTime = () => emulator.log.length > asked + requests
      expect(await runKilled(argsOf(emulator, into), { env: envOf(emulator), isTime })).toBe(true)
    }
    expect(await read(emulator, into)).toBe('')
    const counts = async (one: string) => (await openPackage(one)).manifest.counts
    expect(await counts(into)).toEqual(await counts(folder))
  })

  it('waits when limits are in plain text, and tries again where a list is missing', async () => {
    const emulator = await open({ conversations: 3 })
    const match = '/api/v1/accounts/7/conversations'
    emulator.faults.add({ match, action: { status: 429, retryAfter: 0 } })
    emulator.faults.add({ match, from: 2, action: { status: 200, body: { data: {} }, retryAfter: 0 } })
    const into = newFolder()
    expect(await read(emulator, into)).toBe('')
    expect((await recordsOf(into, 'conversations')).length).toBe(3)
  })

  it('reads with --sync the conversations that were active since', async () => {
    const emulator = await open({ conversations: 40, messages: 2 })
    const into = newFolder()
    expect(await read(emulator, into)).toBe('')
    emulator.account.write(9, 'One more question')
    expect(await read(emulator, into, '--sync')).toBe('')
    const sync = join(into, 'sync-0001')
    expect(await recordsOf(sync, 'conversations')).toMatchObject([{ id: '9', personId: '5' }])
    expect((await recordsOf(sync, 'messages')).at(-1)?.content).toBe('One more question')
  })

  it('demands the number of the account', async () => {
    const run = await machine.run(['migrate', 'chatwoot', newFolder(), '--url', whole.url], {
      env: envOf(whole),
    })
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('--account')])
  })
})
