import { type IdFactory, newDefaultInbox } from '@crmkit/core'
import { expect, test } from 'vitest'
import { createTestClock, useDeliveryHarness } from '../../../test/support/delivery-harness.ts'
import { createSecretBox } from '../../security/secret-box.ts'
import { isoTime } from '../../shared/clock.ts'
import { doorWrites, type Trouble } from '../../shared/note-door.ts'
import { createWatchDoors } from './watch-doors.ts'

const { openTenant, storage, ids } = useDeliveryHarness()
const minuteMs = 60_000
const relay = {
  host: 'relay',
  port: 25,
  security: 'none',
  user: null,
  password: null,
  isOperators: true,
} as const
const refused: Trouble = { reason: 'The server refuses the sign-in.', isSignInRefused: true }
const away: Trouble = { reason: 'The server is away.', isSignInRefused: false }

/** An inbox that reads a mailbox, and the job that watches it at a time of the test's own. */
async function watched({ transport = 'smtp' }: { transport?: 'smtp' | 'relay' } = {}) {
  const { store } = await openTenant()
  const { tenantId } = store
  const clock = createTestClock()
  const now = isoTime(clock.nowMs())
  const inbox = newDefaultInbox({ id: ids.next('inb'), tenantId, now })
  const status = {
    ok: false,
    checkedAt: now,
    error: 'a',
    reauthRequired: false,
    lastMailAt: null,
    nextTryAt: null,
  }
  const server = {
    auth: 'password',
    host: 'mail.acme.test',
    port: 993,
    security: 'tls',
    user: 'support',
    status,
  } as const
  const imap = { ...server, enabled: true, folder: 'INBOX', since: null }
  const email = { ...inbox.email, transport, imap, smtp: server, hasImapPassword: true }
  await store.commit({ writes: [{ op: 'insert', kind: 'inboxes', row: { ...inbox, email } }], events: [] })
  const user = await addAdmin(store, ids, now)
  const job = createWatchDoors({
    storage: storage(),
    clock,
    ids,
    secrets: createSecretBox(['the key of these tests which is long enough']),
    mail: {
      relay: { server: relay, from: 'crm@acme.test' },
      domain: undefined,
      smtpDoor: null,
      hasLinks: true,
      baseUrl: 'https://crm.acme.test',
    },
  })
  return {
    store,
    inbox,
    user,
    note: async (trouble: Trouble | null, door: 'mailbox' | 'server' = 'mailbox') => {
      const noted = { trouble, now: isoTime(clock.nowMs()) }
      const writes = await doorWrites(store, { door, of: inbox._id }, noted)
      if (writes.length > 0) await store.commit({ writes, events: [] })
    },
    passes: async (ms: number) => {
      clock.pass(ms)
      await job.runDue()
    },
    told: () => eventsOf(store),
    mailed: async () => (await storage().system.across.dueMailSends.of(tenantId)).length,
    door: () => store.doors.find(`${inbox._id}.mailbox`),
  }
}

type Store = Awaited<ReturnType<typeof openTenant>>['store']

async function addAdmin(store: Store, { next }: IdFactory, now: string): Promise<string> {
  const id = next('usr')
  const row = {
    _id: id,
    tenantId: store.tenantId,
    email: 'ada@acme.test',
    emailNormalized: 'ada@acme.test',
    firstName: 'Ada',
    lastName: null,
    role: 'admin',
    isActive: true,
    availability: 'online',
    processingRestricted: false,
    identityId: next('idn'),
    sessionGeneration: 0,
    createdAt: now,
    updatedAt: now,
  } as const
  await store.commit({ writes: [{ op: 'insert', kind: 'users', row }], events: [] })
  return id
}

async function eventsOf(store: Store): Promise<string[]> {
  const types = ['inbox.failing', 'inbox.recovered'] as const
  return (await store.events.read({ types, limit: 100 })).map(({ type }) => type)
}

test('a refused sign-in is reported at once, with one mail to each admin', async () => {
  const { note, passes, told, mailed } = await watched()
  await note(refused)
  await passes(0)
  expect(await told()).toEqual(['inbox.failing'])
  expect(await mailed()).toBe(1)
  await passes(60 * minuteMs)
  expect(await told()).toEqual(['inbox.failing'])
  expect(await mailed()).toBe(1)
})

test('other trouble is reported after fifteen minutes, and a shorter one never', async () => {
  const { note, passes, told, door } = await watched()
  await note(away)
  await passes(14 * minuteMs)
  await note(null)
  await passes(16 * minuteMs)
  expect(await told()).toEqual([])
  expect(await door()).toBeUndefined()
  await note(away)
  await passes(14 * minuteMs)
  expect(await told()).toEqual([])
  await passes(minuteMs)
  expect(await told()).toEqual(['inbox.failing'])
})

test('a door that fails and works in turns fails until fifteen minutes are clean', async () => {
  const { note, passes, told } = await watched()
  for (let turn = 0; turn < 10; turn++) {
    await note(away)
    await passes(minuteMs)
    await note(null)
    await passes(minuteMs)
  }
  expect(await told()).toEqual(['inbox.failing'])
  await passes(13 * minuteMs)
  expect(await told()).toEqual(['inbox.failing'])
  await passes(minuteMs)
  expect(await told()).toEqual(['inbox.failing', 'inbox.recovered'])
})

test('admins get one mail a day about a door, however often it fails', async () => {
  const { note, passes, told, mailed, door } = await watched()
  for (let turn = 0; turn < 5; turn++) {
    await note(refused)
    await passes(0)
    await note(null)
    await passes(16 * minuteMs)
  }
  expect((await told()).length).toBe(10)
  expect(await mailed()).toBe(1)
  await passes(24 * 60 * minuteMs)
  expect(await door()).toBeUndefined()
  await note(refused)
  await passes(0)
  expect(await mailed()).toBe(2)
})

test('the relay is no door for the report that the relay fails', async () => {
  const { note, passes, told, mailed } = await watched({ transport: 'relay' })
  await note(refused, 'server')
  await passes(0)
  expect(await told()).toEqual(['inbox.failing'])
  expect(await mailed()).toBe(0)
})

test('a door that is no longer used is over', async () => {
  const { note, passes, told, store, inbox, door } = await watched()
  await note(refused)
  await passes(0)
  const row = await store.inboxes.find(inbox._id)
  const set = { isActive: false }
  const write = {
    op: 'update',
    kind: 'inboxes',
    id: inbox._id,
    expectVersion: row?.version ?? 0,
    set,
  } as const
  await store.commit({ writes: [write], events: [] })
  await passes(16 * minuteMs)
  expect(await told()).toEqual(['inbox.failing'])
  expect(await door()).toBeUndefined()
})

test('two processes report once', async () => {
  const { note, passes, told } = await watched()
  await note(refused)
  await Promise.all([passes(0), passes(0), passes(0)])
  expect(await told()).toEqual(['inbox.failing'])
})
