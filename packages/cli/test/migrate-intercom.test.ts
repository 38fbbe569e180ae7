import { join } from 'node:path'
import { openPackage } from '@crmkit/core/package-folder'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../../examples/intercom-emulator/src/start-emulator.ts'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { newFolder, recordsOf, runKilled } from './support/reader-process.ts'
import { makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()
const machine = makeMachine(atEnd)
const options = { conversations: 40, pageMax: 6 } as const satisfies EmulatorOptions
let whole: Emulator
let folder: string
beforeAll(async () => {
  whole = await startEmulator(options)
  atEnd(() => whole.close())
  folder = join(machine.directory, 'whole')
  expect(await read(whole, folder)).toBe('')
})

async function open(given: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(given)
  onTestFinished(() => emulator.close())
  return emulator
}

const argsOf = ({ url }: Emulator, into: string) => ['migrate', 'intercom', into, '--url', url]
const envOf = ({ hosts, token }: Emulator) => ({ CRM_CONNECTOR_HOSTS: hosts, CRM_MIGRATE_TOKEN: token })

/** Reads the workspace; returns the error. */
async function read(emulator: Emulator, into: string, ...further: string[]): Promise<string> {
  const run = await machine.run([...argsOf(emulator, into), ...further], { env: envOf(emulator) })
  return run.code === 0 ? '' : run.stderr
}

describe('crm migrate intercom', () => {
  it('names the workspace of the token as the account', async () => {
    const opened = await openPackage(folder)
    await opened.verify()
    expect(opened.manifest.source).toMatchObject({ product: 'intercom', account: whole.workspace })
  })

  it('makes messages of the source and of parts with words, notes of notes, and leaves events out', async () => {
    const messages = (await recordsOf(folder, 'messages')).filter(
      ({ conversationId }) => conversationId === '2',
    )
    const authors = messages.map(({ id, direction, author }) => [id, direction, author.type])
    expect(authors).toEqual([
      ['2-source', 'inbound', 'person'],
      ['20000', 'outbound', 'agent'],
      ['20003', 'outbound', 'system'],
      ['20004', 'inbound', 'person'],
    ])
    expect(messages[1]).toMatchObject({
      messageId: '<p-20000@mail.test>',
      attachmentIds: ['20000-1'],
      subject: 'Re: 2',
    })
    expect(messages[3]?.content).toBe('(removed at the source)')
    const notes = await recordsOf(folder, 'notes')
    expect(notes.find(({ conversationId }) => conversationId === '2')?.author.id).toBe('1')
    const { leftOut } = (await openPackage(folder)).manifest
    expect(leftOut).toContainEqual({
      kind: 'messages',
      count: 40,
      reason: 'A line about what happened, not a message',
    })
  })

  it('keeps contacts whom no list has, tags, companies, notes and suppressions', async () => {
    const people = await recordsOf(folder, 'people')
    expect(people.length).toBe(20)
    expect(people.find(({ name }) => name === 'Customer 1')).toMatchObject({
      organisationId: 'c1',
      tags: ['vip'],
      customFields: { plan: 'gold', Role: 'user' },
    })
    expect(await recordsOf(folder, 'suppressions')).toContainEqual({
      address: 'customer5@example.com',
      reason: 'Hard bounce at Intercom',
    })
    expect((await recordsOf(folder, 'notes')).find(({ personId }) => personId)?.content).toBe(
      '<p>Calls back</p>',
    )
  })

  it('keeps states, subjects, ratings, own fields and assignees', async () => {
    const conversations = await recordsOf(folder, 'conversations')
    expect(conversations.find(({ id }) => id === '1')).toMatchObject({
      subject: 'Question 1',
      status: 'closed',
      assigneeId: '1',
      closedAt: '2024-01-01T01:15:00.000Z',
      customFields: { Order: 'A-1' },
    })
    expect(conversations.find(({ id }) => id === '2')).toMatchObject({
      subject: 'Title 2',
      status: 'snoozed',
    })
    expect((await recordsOf(folder, 'ratings'))[0]).toMatchObject({ conversationId: '5', score: 5, scale: 5 })
  })

  it('stores files of other hosts without showing them the token, and leaves foreign pictures where they are', async () => {
    expect(whole.fileRequests.length).toBeGreaterThan(0)
    expect(whole.fileRequests.some(({ authorization }) => authorization !== undefined)).toBe(false)
    const [first] = await recordsOf(folder, 'messages')
    expect(first?.content).toContain('<img src="http://127.0.0.1:')
  })

  it('counts the parts that Intercom keeps back', async () => {
    const emulator = await open({ conversations: 1, parts: 510 })
    const into = newFolder()
    expect(await read(emulator, into)).toBe('')
    expect((await openPackage(into)).manifest.leftOut).toContainEqual({
      kind: 'messages',
      count: 10,
      reason: 'Intercom gives the newest 500 parts of a conversation',
    })
  })

  it('goes on after kills and after a limit of requests, and doubles nothing', async () => {
    const emulator = await open(options)
    const into = newFolder()
    for (const requests of [20, 25]) {
      const asked = emulator.log.length
      const isTime = () => emulator.log.length > asked + requests
      expect(await runKilled(argsOf(emulator, into), { env: envOf(emulator), isTime })).toBe(true)
    }
    emulator.faults.add({ match: '/conversations', action: { status: 429, retryAfter: 0 } })
    expect(await read(emulator, into)).toBe('')
    const countsOf = async (one: string) => (await openPackage(one)).manifest.counts
    expect(await countsOf(into)).toEqual(await countsOf(folder))
  })

  it('searches with --sync for what changed since two days before the last pass', async () => {
    const emulator = await open(options)
    const into = newFolder()
    expect(await read(emulator, into)).toBe('')
    emulator.account.change(7, '<p>One more question</p>')
    expect(await read(emulator, into, '--sync')).toBe('')
    const sync = join(into, 'sync-0001')
    const [row, ...others] = await recordsOf(sync, 'conversations')
    expect([row?.id, others]).toEqual(['7', []])
    expect((await recordsOf(sync, 'people')).map(({ id }) => id)).toEqual([row?.personId])
    expect((await recordsOf(sync, 'messages')).at(-1)?.content).toBe('<p>One more question</p>')
  })

  it('refuses a token of another workspace, and one that is refused', async () => {
    const foreign = await machine.run([...argsOf(whole, newFolder()), '--account', 'other'], {
      env: envOf(whole),
    })
    expect([foreign.code, foreign.stderr]).toEqual([2, expect.stringContaining(whole.workspace)])
    const env = { ...envOf(whole), CRM_MIGRATE_TOKEN: 'wrong' }
    expect(await machine.run(argsOf(whole, newFolder()), { env })).toMatchObject({ code: 4 })
  })
})
