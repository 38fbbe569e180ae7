import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { eventTypes } from '@crmkit/core/vocabulary'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCopy } from '../../src/copy/run-copy.ts'
import type { AttachmentStore } from '../../src/ports/attachment-store.ts'
import type { Storage } from '../../src/ports/storage.ts'
import type { RowRef, TransferRow, TransferSource, TransferTarget } from '../../src/ports/storage-transfer.ts'
import type { AttemptClaim } from '../../src/ports/system-store.ts'
import type { AttemptRecord } from '../../src/storage/kinds/attempts.ts'
import { isListed, rulesOf, storedKinds, tenantKinds, transferKinds } from '../../src/storage/kinds/derive.ts'
import type { Kind, TransferKind } from '../../src/storage/kinds/registry.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { rejection } from './storage/harness.contract.ts'
import { storeOf } from './storage/kinds.contract.ts'
import {
  add,
  at,
  insertOf,
  sample,
  sampleAttempt,
  sampleEvent,
  sampleMetrics,
  sampleUsage,
} from './storage/samples.contract.ts'

/** An empty database, which is opened as a storage, a source and a target, one after the other. */
export interface TransferSide {
  openStorage(): Promise<Storage>
  openSource(): Promise<TransferSource>
  openTarget(): Promise<TransferTarget>
  openAttachments(): Promise<AttachmentStore>
  remove(): Promise<void>
}

const tenants = ['ten_a', 'ten:b %/ü'] as TenantId[]
/** Later than every time in the samples. */
const now = at(500_000)
const later = at(900_000)
const all = { page: 1, limit: 100 }
/** Ids with odd characters, as an import may bring them. */
const oddIds = ['a.b', '$where', '%25:', 'ten_a:cus', '日本 語', 'o\'id"', '..\\']

async function fillTenant(storage: Storage, tenantId: TenantId): Promise<void> {
  const store = storage.forTenant(tenantId)
  await storage.system.commit(tenantId, {
    writes: [
      insertOf('tenants', sample.tenants(tenantId)),
      insertOf('identities', sample.identities(tenantId, { _id: `idn ${tenantId}`, email: `${tenantId}@x` })),
    ],
    events: [],
  })
  await add(store, 'users', [{ _id: 'usr_1', identityId: `idn ${tenantId}`, role: 'owner' }, {}])
  await add(store, 'sessions', [{ _id: `ses ${tenantId}`, identityId: `idn ${tenantId}` }])
  await add(store, 'apiKeys', [{ _id: 'key_1', keyHash: `hash ${tenantId}` }])
  await add(store, 'inboxes', [{ _id: 'inb_1' }])
  await add(store, 'webhooks', [{ _id: 'whk_1' }, { _id: 'whk_off', isActive: false }, { _id: 'whk_gone' }])
  await add(store, 'customers', [
    ...oddIds.map((_id) => ({ _id })),
    { _id: 'cus_erased', jobTitle: 'secret' },
    {
      _id: 'cus_tagged',
      tags: ['Ünïque', 'x'],
      customFields: { 'a.b': { $set: [1, { 'c.d': null }] }, $inc: 2 },
    },
  ])
  await add(store, 'conversations', [
    { _id: 'con_1', customerId: 'a.b', subject: `Words of ${tenantId}`, labels: ['Später'] },
    { _id: 'con_snoozed', status: 'snoozed', snoozedUntil: at(10), priority: 'urgent' },
    { _id: 'con_erased', customerId: 'cus_erased' },
  ])
  await add(store, 'messages', [
    {
      _id: 'msg_1',
      conversationId: 'con_1',
      clientMessageId: 'client 1',
      content: 'a needle \ud83e\uddf5 here',
    },
    { _id: 'msg_2', conversationId: 'con_erased' },
  ])
  await add(store, 'auditLog', [{ _id: 'aud_1' }, {}])
  await add(store, 'attachments', [
    { _id: 'att_1', messageId: 'msg_1' },
    { _id: 'att_2', state: 'uploading', createdAt: at(0) },
    { _id: 'att_3', erasedAt: at(5) },
  ])
  await add(store, 'tasks', [{ _id: 'tsk_1' }])
  await storage.system.addUsage([sampleUsage(tenantId), sampleUsage(tenantId, { apiKeyId: null })])
  await storage.system.addRequestMetrics([sampleMetrics(tenantId)])
  await add(store, 'idempotency', [
    { _id: 'reply', subjects: ['a.b', 'a.b'] },
    { _id: 'of erased', subjects: ['cus_erased'] },
  ])
}

/** Kinds of which `fillTenant` makes no row of its own; a new kind needs no row there. */
async function fillOtherKinds(storage: Storage, tenantId: TenantId): Promise<void> {
  const others = storedKinds.filter((kind) => !filledKinds.has(kind))
  const writes = others.map((kind) => insertOf(kind, sample[kind](tenantId) as never) as never)
  await storage.system.commit(tenantId, { writes, events: [] })
}

const filledKinds: ReadonlySet<Kind> = new Set<Kind>([
  'tenants',
  'identities',
  'users',
  'sessions',
  'apiKeys',
  'inboxes',
  'webhooks',
  'customers',
  'conversations',
  'messages',
  'auditLog',
  'attachments',
  'tasks',
  'usage',
  'requestMetrics',
  'idempotency',
  'erasedLinks',
])

/** Makes the states that only work on rows brings about: versions, retries, leases, an erasure, a removed webhook. */
async function live(storage: Storage, tenantId: TenantId): Promise<void> {
  const store = storage.forTenant(tenantId)
  const change = {
    op: 'update',
    kind: 'customers',
    id: '$where',
    expectVersion: 1,
    set: { jobTitle: 'Analyst' },
  } as const
  await store.commit({ writes: [change], events: [], expectTenantVersion: 1 })
  await store.commit({
    writes: [{ op: 'patch', kind: 'conversations', id: 'con_1', increment: { messageCount: 3 } }],
    events: ['a.b', 'cus_erased', '$where'].map((about) => sampleEvent({ about, timestamp: at(30) })),
  })
  await store.commit({
    writes: [{ op: 'erase', kind: 'customers', id: 'cus_erased', at: at(20) }],
    events: [],
  })
  const ofGone = (_: unknown, index: number) =>
    sampleAttempt(tenantId, { _id: `gone ${index}`, webhookId: 'whk_gone' })
  await Promise.all(
    Array.from({ length: tenantId === tenants[0] ? 510 : 1 }, ofGone).map((attempt) =>
      store.attempts.record(attempt),
    ),
  )
  await store.commit({
    writes: [{ op: 'remove', kind: 'webhooks', id: 'whk_gone', expectVersion: 1 }],
    events: [],
  })
}

async function sequence({ system }: Storage): Promise<void> {
  while ((await system.sequenceEvents(100)).count > 0);
}

/** Claims from all delivery queues. */
async function claimDue({ system }: Storage, claim: Omit<AttemptClaim, 'deliveryQueues'>) {
  const { deliveryQueues } = await system.listDeliveryQueues({ after: null, limit: 100 })
  const claimed = await system.claimDueAttempts({
    ...claim,
    deliveryQueues: deliveryQueues.map((deliveryQueue) => ({ ...deliveryQueue, limit: 100 })),
  })
  return claimed.flatMap(({ claims }) => claims)
}

async function fill(storage: Storage): Promise<void> {
  for (const tenantId of tenants) await fillTenant(storage, tenantId)
  for (const tenantId of tenants) await fillOtherKinds(storage, tenantId)
  for (const tenantId of tenants) await live(storage, tenantId)
  await sequence(storage)
  const [failed] = await claimDue(storage, { now, leaseMs: 60_000, lockToken: 'source' })
  if (!failed) throw new Error('an attempt was due')
  const { timings, remoteAddress } = sampleAttempt(failed.tenantId)
  const result = {
    status: 'failed',
    statusCode: 500,
    deliveredAt: now,
    responseTime: 1.5,
    error: 'no',
    errorCode: 'STATUS',
  } as const
  const next = { _id: 'log_retry', nextAttemptAt: later }
  await storage.system.finishAttempts([
    {
      tenantId: failed.tenantId,
      webhookId: failed.webhook._id,
      attemptId: failed.attempt._id,
      lockToken: 'source',
      ...result,
      timings,
      remoteAddress,
      next,
    },
  ])
}

const chunksOf = (content: string) => Readable.from([Buffer.from(content)])

/** Writes the bytes of the attachments; one attachment has lost its own. */
async function fillFiles(storage: Storage) {
  const files = tenants.flatMap((tenantId) =>
    ['att_1', '../att'].map((id) => ({ key: { tenantId, id }, content: `bytes of ${id} of ${tenantId}` })),
  )
  const [tenantId] = tenants as [TenantId]
  const store = storage.forTenant(tenantId)
  for (const { key, content } of files) {
    const sha256 = createHash('sha256').update(content).digest('hex')
    await add(storage.forTenant(key.tenantId), 'attachments', [
      { _id: key.id, sha256, size: Buffer.byteLength(content) },
    ])
  }
  await add(store, 'attachments', [{ _id: 'att_lost' }, { _id: 'att_part', state: 'uploading' }])
  return files
}

/** Every declared list, in each of its orders. `viewOf` reads the lists that need a filter. */
async function listsOf(storage: Storage, tenantId: TenantId): Promise<unknown[]> {
  const store = storage.forTenant(tenantId)
  const asked = tenantKinds.filter(isListed).flatMap((kind) => {
    const { list } = rulesOf(kind)
    const orders = list?.needsOneOf ? [] : Object.keys(list?.orders ?? {})
    return orders.map((sort) => storeOf(store, kind).list({ ...all, sort }))
  })
  return Promise.all(asked)
}

/** Every row of every kind as a copy reads it, in one order for all adapters. */
async function rowsOf(source: TransferSource): Promise<Record<string, unknown[]>> {
  const read = async (kind: TransferKind) => {
    const rows: TransferRow[] = []
    for (;;) {
      const page = await source.readPage(kind, rows.at(-1) ?? null)
      if (page.length === 0) break
      rows.push(...page)
    }
    return rows.toSorted((a, b) => (`${a.tenantId} ${a.id}` < `${b.tenantId} ${b.id}` ? -1 : 1))
  }
  const found = transferKinds.map(async (kind) => [kind, await read(kind)] as const)
  return Object.fromEntries(await Promise.all(found))
}

/** Changes a row and removes another one when the check begins, as a server on a MongoDB might. */
function changingAtCheck(source: TransferSource): TransferSource {
  let walks = 0
  const isOf = (id: string) => (row: RowRef) => walks > 1 && row.tenantId === tenants[0] && row.id === id
  const isGone = (kind: TransferKind) => (row: RowRef) => kind === 'users' && isOf('usr_1')(row)
  return {
    ...source,
    async readPage(kind, after) {
      if (kind === 'tenants' && after === null) walks += 1
      const isChanged = (row: TransferRow) => kind === 'customers' && isOf('$where')(row)
      const page = (await source.readPage(kind, after)).filter((row) => !isGone(kind)(row))
      return page.map((row) => (isChanged(row) ? { ...row, version: 9 } : row))
    },
    count: async (kind) => (await source.count(kind)) - (kind === 'users' && walks > 1 ? 1 : 0),
    findMissing: async (kind, refs) => [
      ...(await source.findMissing(kind, refs)),
      ...refs.filter(isGone(kind)),
    ],
  }
}

type Rows = Awaited<ReturnType<typeof rowsOf>>

/** The kind and id of each row that one side alone has, or that has another content there. */
function differences(a: Rows, b: Rows): string[] {
  const nameOf = (row: unknown) => JSON.stringify([(row as RowRef).tenantId, (row as RowRef).id])
  // Each database has an order of its own for the fields of a record.
  const isEqual = (one: unknown, other: unknown) =>
    isDeepStrictEqual(comparable(one ?? null), comparable(other ?? null))
  return Object.keys(a).flatMap((kind) => {
    const sides = [a, b].map((side) => new Map((side[kind] ?? []).map((row) => [nameOf(row), row])))
    const names = new Set(sides.flatMap((side) => [...side.keys()]))
    const different = [...names].filter((name) => !isEqual(sides[0]?.get(name), sides[1]?.get(name)))
    return different.map((name) => `${kind} ${JSON.parse(name)[1]}`)
  })
}

/** Works on as a server does after a first pass: rows are new, changed, patched, deleted and erased. */
async function goOn(storage: Storage): Promise<void> {
  for (const tenantId of tenants) {
    const store = storage.forTenant(tenantId)
    await store.commit({
      writes: [
        { op: 'update', kind: 'customers', id: '$where', expectVersion: 2, set: { jobTitle: 'Later' } },
        { op: 'patch', kind: 'conversations', id: 'con_1', increment: { messageCount: 1 } },
        { op: 'remove', kind: 'users', id: 'usr_1', expectVersion: 1 },
        { op: 'remove', kind: 'apiKeys', id: 'key_1', expectVersion: 1 },
        { op: 'remove', kind: 'auditLog', id: 'aud_1', expectVersion: 1 },
      ],
      events: [sampleEvent({ about: '$where', timestamp: at(40) })],
    })
    await add(store, 'customers', [{ _id: 'cus_late' }])
    await add(store, 'conversations', [{ _id: 'con_late', customerId: 'cus_late' }])
    await add(store, 'messages', [{ _id: 'msg_late', conversationId: 'con_late', content: 'a late needle' }])
    // The value of the removed row, in a row that comes before it.
    await add(store, 'apiKeys', [{ _id: 'a_late', keyHash: `hash ${tenantId}` }])
    await store.commit({ writes: [{ op: 'erase', kind: 'customers', id: 'a.b', at: at(50) }], events: [] })
    await store.attempts.record(sampleAttempt(tenantId, { _id: 'log_late', webhookId: 'whk_1' }))
  }
  await sequence(storage)
}

/** Everything that a tenant can see, through every read that exists. */
async function viewOf(storage: Storage, tenantId: TenantId) {
  const store = storage.forTenant(tenantId)
  const { system } = storage
  const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const
  const attempts = await store.attempts.list({ webhookId: 'whk_1', ...all })
  return {
    lists: await listsOf(storage, tenantId),
    version: await store.version(),
    tenant: await system.findTenant(tenantId),
    customers: await Promise.all(
      [...sorts, 'lastName' as const].map((sort) => store.customers.list({ ...all, sort })),
    ),
    conversations: await Promise.all(
      [...sorts, 'priority' as const].map((sort) => store.conversations.list({ ...all, sort })),
    ),
    found: [
      await store.customers.list({ ...all, sort: 'createdAt', search: 'lovelace engines' }),
      await store.customers.list({ ...all, sort: 'createdAt', tags: ['ÜNÏQUE'] }),
      await store.conversations.list({ ...all, sort: 'createdAt', search: 'needle' }),
      await store.conversations.list({ ...all, sort: 'createdAt', search: 'words of' }),
      await store.conversations.list({ ...all, sort: 'createdAt', label: 'später' }),
      await store.conversations.list({ ...all, sort: 'createdAt', customerId: 'a.b' }),
    ],
    messages: await store.messages.list({ conversationId: 'con_1', sort: 'createdAt', ...all }),
    byClientId: await store.messages.findByClientMessageId('con_1', 'client 1'),
    users: await store.users.list(all),
    memberships: await system.across.memberships.of(`idn ${tenantId}`),
    identities: await system.listIdentitiesByEmail(`${tenantId}@x`),
    session: await system.findSession(`ses ${tenantId}`),
    key: await system.across.keyHashes.find(`hash ${tenantId}`),
    keys: await store.apiKeys.list(all),
    inboxes: await store.inboxes.list(all),
    webhooks: await store.webhooks.list(all),
    counts: await store.webhooks.counts(['whk_1']),
    attempts,
    events: await Promise.all(attempts.rows.map(({ eventId }) => store.events.find(eventId))),
    log: await store.events.read({ types: eventTypes, limit: 100 }),
    logEnd: await store.events.newestPosition(),
    auditLog: await store.auditLog.list(all),
    reply: await store.idempotency.find('reply'),
    usage: await store.usage.list({ month: '2026-03', apiKeyId: 'key_1' }),
    metrics: await store.usage.findMetrics('2026-03'),
    snoozes: (await system.across.dueSnoozes.due(now, 100)).filter((due) => due.tenantId === tenantId),
  }
}

/** Each adapter has cursors of its own. */
function comparable(view: unknown): unknown {
  return JSON.parse(JSON.stringify(view, (name, value) => (name === 'nextCursor' ? undefined : value)))
}

const silent = { say() {}, show() {}, count() {}, end() {} }

export function describeTransfer(
  name: string,
  open: { from: () => Promise<TransferSide>; to: () => Promise<TransferSide> },
): void {
  describe(`a copy ${name}`, () => {
    let from: TransferSide
    let to: TransferSide
    beforeEach(async () => {
      ;[from, to] = [await open.from(), await open.to()]
    })
    afterEach(async () => {
      await from.remove()
      await to.remove()
    })

    async function using<T extends { close(): Promise<void> }, R>(
      opening: Promise<T>,
      use: (open: T) => Promise<R>,
    ) {
      const opened = await opening
      try {
        return await use(opened)
      } finally {
        await opened.close()
      }
    }

    const onStorage = <R>(side: TransferSide, use: (storage: Storage) => Promise<R>) =>
      using(side.openStorage(), use)

    async function openBytes() {
      const bytes = { from: await from.openAttachments(), to: await to.openAttachments() }
      const close = async () => {
        await Promise.all([bytes.from.close(), bytes.to.close()])
      }
      return { ...bytes, close }
    }

    interface Interference {
      signal?: AbortSignal
      source?: (source: TransferSource) => TransferSource
      target?: (target: TransferTarget) => TransferTarget
      bytes?: (store: AttachmentStore) => AttachmentStore
    }

    function copy({
      signal = new AbortController().signal,
      source: bendSource = (it) => it,
      target: bend = (it) => it,
      bytes: bendBytes = (it) => it,
    }: Interference = {}) {
      const said: string[] = []
      const progress = { ...silent, say: (text: string) => void said.push(text) }
      const print = (text: string) => void said.push(text)
      return using(openBytes(), (stores) =>
        using(from.openSource(), (source) =>
          using(to.openTarget(), async (target) => {
            const bytes = { from: bendBytes(stores.from), to: bendBytes(stores.to) }
            await runCopy({
              source: bendSource(source),
              target: bend(target),
              bytes,
              progress,
              signal,
              print,
            })
            return said.join('\n')
          }),
        ),
      )
    }

    /** Ends the copy before the given write, as a kill would: with an error that nothing catches. */
    const dyingAt =
      (write: number) =>
      (target: TransferTarget): TransferTarget => {
        let writes = 0
        return {
          ...target,
          async put(kind, rows) {
            writes += 1
            // Half of the page is written: the kill came in the middle of it.
            if (writes === write) await target.put(kind, rows.slice(0, Math.ceil(rows.length / 2)))
            if (writes >= write) throw new Error('killed')
            await target.put(kind, rows)
          },
        }
      }

    /** Notes the kind and id of each row that is written or removed. */
    const noting =
      (written: string[]) =>
      (target: TransferTarget): TransferTarget => ({
        ...target,
        async put(kind, page) {
          written.push(...page.map(({ id }) => `${kind} ${id}`))
          await target.put(kind, page)
        },
        async remove(kind, refs) {
          written.push(...refs.map(({ id }) => `${kind} ${id}`))
          await target.remove(kind, refs)
        },
      })

    const rows = (side: TransferSide) => using(side.openSource(), rowsOf)

    const views = (side: TransferSide) =>
      onStorage(side, async (storage) =>
        comparable(await Promise.all(tenants.map((tenantId) => viewOf(storage, tenantId)))),
      )

    test('keeps every row, id, version and time, every order and total, and every list and look-up', async () => {
      await onStorage(from, fill)
      const before = await views(from)
      const said = await copy()
      expect(await views(to)).toEqual(before)
      expect(said).not.toContain('DIFFERENT')
      const kinds = await using(from.openSource(), (source) =>
        Promise.all(transferKinds.map(async (kind) => ({ kind, rows: await source.count(kind) }))),
      )
      expect(
        kinds.filter(({ rows }) => rows === 0),
        'the samples have rows of every kind',
      ).toEqual([])
      const copied = await using(to.openTarget(), rowsOf)
      expect(copied).toEqual(await using(from.openSource(), rowsOf))
    })

    test('copies the bytes of attachments, checks them, and mends differences', async () => {
      const files = await onStorage(from, fillFiles)
      await using(openBytes(), async (bytes) => {
        for (const { key, content } of files) await bytes.from.write(key, chunksOf(content))
      })
      const contents = () =>
        using(openBytes(), ({ to: store }) =>
          Promise.all(files.map(async ({ key }) => String((await (await store.read(key))?.toArray()) ?? ''))),
        )
      expect(await rejection(copy({ target: dyingAt(1) }))).toMatchObject({ message: 'killed' })
      const said = await copy()
      expect(await contents()).toEqual(files.map(({ content }) => content))
      expect(said).toMatch(/^attachmentBytes +4 +4 +equal$/m)
      expect(said).toContain('The source has no bytes of attachment att_lost of ten_a')
    })

    test('finds bytes that differ from the source, and mends them in the next run', async () => {
      const [spoiled, vanished] = await onStorage(from, fillFiles)
      if (!spoiled || !vanished) throw new Error('there are files')
      const writeAll = (content: (given: string) => string) =>
        using(openBytes(), async ({ from: store }) => {
          for (const { key, content: given } of [spoiled, vanished])
            await store.write(key, chunksOf(content(given)))
        })
      await writeAll((given) => given)
      let reads = 0
      const spoil = (target: TransferTarget): TransferTarget => ({
        ...target,
        async readRows(kind, refs) {
          // The second time is the check.
          if (kind === 'attachments' && ++reads === 2)
            await using(openBytes(), async ({ to: store }) => {
              await store.write(spoiled.key, chunksOf('spoiled'))
              await store.remove(vanished.key)
            })
          return target.readRows(kind, refs)
        },
      })
      const refusal = String(await rejection(copy({ target: spoil })))
      expect(refusal).toMatch(/ten_a, attachmentBytes: 2 different, one is \S+att/)
      await copy()
      await using(openBytes(), async ({ to: store }) => {
        for (const { key, content } of [spoiled, vanished])
          expect(String((await (await store.read(key))?.toArray()) ?? '')).toBe(content)
      })
    })

    test('a server continues on the target: due work, also leased work, is due at once; erasure and retention find all rows', async () => {
      await onStorage(from, fill)
      await copy()
      await onStorage(to, async (storage) => {
        const { system, forTenant } = storage
        const claim = { leaseMs: 1, lockToken: 'target' }
        const due = await claimDue(storage, { ...claim, now })
        const afterwards = await claimDue(storage, { ...claim, now: later })
        // Each tenant has three events: one is erased, and one has a failed attempt with a retry.
        expect(due).toHaveLength(3)
        expect(afterwards.map(({ attempt }) => attempt._id)).toContain('log_retry')
        for (const tenantId of tenants) {
          const store = forTenant(tenantId)
          await store.commit({ writes: [{ op: 'erase', kind: 'customers', id: 'a.b', at: now }], events: [] })
          expect(await store.messages.find('msg_1')).toBeUndefined()
          expect(await store.idempotency.find('reply')).toBeUndefined()
          const { rows } = await store.attempts.list({ webhookId: 'whk_1', ...all })
          const erased = rows.filter(({ errorCode }: AttemptRecord) => errorCode === 'ERASED')
          expect(erased.length).toBeGreaterThanOrEqual(1)
          const event = await store.events.find(erased[0]?.eventId ?? '')
          expect(event?.body).toContain('"erased":true')
        }
        let removed = 0
        const keep = { now, logsBefore: at(0), limit: 500 }
        for (let round = 0; round < 4; round++) removed += await system.removeExpired(keep)
        expect(removed, 'the rest of the attempts of the removed webhooks').toBe(13)
      })
    })

    test('a reader of the event log continues from its position, also when the newest events were deleted', async () => {
      const [tenantId] = tenants as [TenantId]
      const ends = await onStorage(from, async (storage) => {
        await fill(storage)
        const { events } = storage.forTenant(tenantId)
        const [first] = await events.read({ types: eventTypes, limit: 1 })
        const last = await events.newestPosition()
        await storage.system.removeExpired({ now, logsBefore: later, limit: 5_000 })
        return { first: first?.position ?? '', last: last ?? '' }
      })
      await copy()
      await onStorage(to, async (storage) => {
        const store = storage.forTenant(tenantId)
        await store.commit({ writes: [], events: [sampleEvent({ about: 'new' })] })
        await sequence(storage)
        for (const after of [ends.first, ends.last]) {
          const read = await store.events.read({ after, types: eventTypes, limit: 100 })
          expect(read.at(-1)?.subjects).toEqual(['new'])
        }
      })
    })

    test('a copy that was killed at any moment says so and continues', async () => {
      await onStorage(from, fill)
      const before = await views(from)
      for (const write of [1, 2, 3, 5, 4]) {
        expect(await rejection(copy({ target: dyingAt(write) }))).toMatchObject({ message: 'killed' })
        expect(String(await rejection(to.openStorage()))).toContain('has not finished')
      }
      expect(await copy()).toMatch(/Goes on with the copy that was begun 2\S+\./)
      expect(await views(to)).toEqual(before)
    })

    test('a copy stops after the current page when it is asked to', async () => {
      await onStorage(from, fill)
      const stop = new AbortController()
      stop.abort()
      expect(String(await rejection(copy({ signal: stop.signal })))).toContain('run the same command again')
      expect(await copy()).toContain('Goes on')
    })

    test('finds rows that were written to the source meanwhile, names them, and mends them in the next run', async () => {
      await onStorage(from, fill)
      const refusal = String(await rejection(copy({ source: changingAtCheck })))
      expect(refusal).toContain('source and target differ')
      expect(refusal).toContain(`${tenants[0]}, customers: 1 different, one is $where`)
      expect(refusal).toContain(`${tenants[0]}, users: 1 different, one is usr_1; the source has`)
      expect(refusal).not.toContain(tenants[1])
      expect(String(await rejection(to.openStorage()))).toContain('has not finished')
      expect(await copy()).toContain('Goes on')
      expect(await rows(to)).toEqual(await rows(from))
    })

    test('a second pass writes only what differs, and the target is then the same as a new copy', async () => {
      await onStorage(from, fill)
      await copy()
      await onStorage(from, goOn)
      const different = new Set(differences(await rows(to), await rows(from)))
      const written: string[] = []
      const said = await copy({ target: noting(written) })
      expect(said).toMatch(/Brings the copy up to date that was begun 2/)
      const copied = [await rows(to), await views(to)]
      expect(new Set(written)).toEqual(different)
      await to.remove()
      to = await open.to()
      await copy()
      expect(copied).toEqual([await rows(to), await views(to)])
    })

    test('a second pass that was killed says so, and the third one ends it', async () => {
      await onStorage(from, fill)
      await copy()
      await onStorage(from, goOn)
      for (const write of [1, 3]) {
        expect(await rejection(copy({ target: dyingAt(write) }))).toMatchObject({ message: 'killed' })
        expect(String(await rejection(to.openStorage()))).toContain('has not finished')
      }
      expect(await copy()).toContain('Goes on')
      expect(await rows(to)).toEqual(await rows(from))
      expect(await views(to)).toEqual(await views(from))
    })

    test('a second pass moves unique values between rows of different pages', async () => {
      await onStorage(from, async (storage) => {
        for (const tenantId of tenants) await fillTenant(storage, tenantId)
      })
      await copy()
      const ids = tenants.map((tenantId) => `idn ${tenantId}`)
      await onStorage(from, async ({ system }) => {
        const moves = [
          [ids[0], 'aside@x'],
          [ids[1], `${tenants[0]}@x`],
          [ids[0], `${tenants[1]}@x`],
        ] as const
        for (const [id, email] of moves) {
          const found = await system.findIdentity(id ?? '')
          const expectVersion = found?.version ?? 1
          const write = {
            op: 'update',
            kind: 'identities',
            id: id ?? '',
            expectVersion,
            set: { email },
          } as const
          await system.commit(tenants[0] as TenantId, { writes: [write], events: [] })
        }
      })
      const single = (source: TransferSource): TransferSource => ({
        ...source,
        readPage: async (kind, after) => {
          const page = await source.readPage(kind, after)
          return kind === 'identities' ? page.slice(0, 1) : page
        },
      })
      await copy({ source: single })
      expect(await views(to)).toEqual(await views(from))
    })

    test('a second pass copies new files, deletes those of deleted rows, and does not read the others', async () => {
      const files = await onStorage(from, fillFiles)
      await using(openBytes(), async (bytes) => {
        for (const { key, content } of files) await bytes.from.write(key, chunksOf(content))
      })
      await copy()
      const [removed, kept] = files
      if (!removed || !kept) throw new Error('there are files')
      const late = { tenantId: kept.key.tenantId, id: 'att_late' }
      const content = 'late bytes'
      const sha256 = createHash('sha256').update(content).digest('hex')
      await onStorage(from, async (storage) => {
        const store = storage.forTenant(kept.key.tenantId)
        await store.commit({
          writes: [{ op: 'remove', kind: 'attachments', id: removed.key.id, expectVersion: 1 }],
          events: [],
        })
        await add(store, 'attachments', [{ _id: late.id, sha256, size: content.length }])
      })
      await using(openBytes(), ({ from: store }) => store.write(late, chunksOf(content)))
      const read: string[] = []
      const bytes = (store: AttachmentStore): AttachmentStore => ({
        ...store,
        read: (key) => {
          read.push(key.id)
          return store.read(key)
        },
      })
      await copy({ bytes })
      // Bytes that the source has lost are looked for again.
      expect([...new Set(read)].sort()).toEqual(['att_late', 'att_lost'])
      await using(openBytes(), async ({ to: store }) => {
        expect(await store.read(removed.key)).toBeUndefined()
        expect(String(await (await store.read(late))?.toArray())).toBe(content)
      })
    })

    test('refuses a target with data, a copy of another installation, and a copy that a server has used', async () => {
      await onStorage(from, (storage) => fillTenant(storage, tenants[0] as TenantId))
      await onStorage(to, ({ system }) =>
        system.commit(tenants[0] as TenantId, {
          writes: [insertOf('tenants', sample.tenants(tenants[0] as TenantId))],
          events: [],
        }),
      )
      expect(String(await rejection(copy()))).toContain('holds data already (1 of tenants)')
      await to.remove()
      to = await open.to()
      await copy()
      await onStorage(to, async () => {})
      expect(String(await rejection(copy()))).toContain('that a server has used since')
      for (const target of [(it: TransferTarget) => it, dyingAt(1)]) {
        await to.remove()
        to = await open.to()
        await copy({ target }).catch(() => undefined)
        await from.remove()
        from = await open.from()
        await onStorage(from, (storage) => fillTenant(storage, tenants[0] as TenantId))
        expect(String(await rejection(copy()))).toContain('of another installation')
      }
    })

    test('refuses a target that a server uses', async () => {
      await onStorage(from, fill)
      const target = (it: TransferTarget) => ({ ...it, isInUse: async () => true })
      expect(String(await rejection(copy({ target })))).toContain('a server works on')
      await copy()
    })

    test('copies an empty storage', async () => {
      await onStorage(from, async () => {})
      await copy()
      await onStorage(to, async ({ system }) => expect(await system.hasTenants()).toBe(false))
    })
  })
}
