import { createHash } from 'node:crypto'
import { createIdFactory } from '@crmkit/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ArrivingMail } from '../../src/fairness/mail-budgets.ts'
import { storeMail } from '../../src/mail/in/store-mail.ts'
import type { AttachmentStore } from '../../src/ports/attachment-store.ts'
import type { Storage } from '../../src/ports/storage.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { silentLog } from '../support/silent-log.ts'
import { openTestAttachments, openTestDatabase } from '../support/test-world.ts'

const ends: (() => Promise<unknown>)[] = []
let storage: Storage
let attachments: AttachmentStore
beforeEach(async () => {
  const database = await openTestDatabase()
  const files = await openTestAttachments()
  storage = database.storage
  attachments = files.store
  ends.push(() => storage.close(), database.remove, files.cleanup)
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const nowMs = Date.parse('2026-11-27T12:00:00.000Z')
const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
const ids = createIdFactory(clock.nowMs)
const head =
  'From: a@example.com\r\nMessage-ID: <1@example.com>\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\n\r\n'
const large = `${head}${'It is dark. '.repeat(100_000)}`

async function* inChunks(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

function openDoor({ refuseAfter = Number.POSITIVE_INFINITY } = {}) {
  const [tenantId, inboxId] = [ids.next('ten') as TenantId, ids.next('inb')]
  const admitted: { bytes: number; held: number }[] = []
  let reserved = 0
  const admit = async ({ bytes, writes }: ArrivingMail) => {
    if (admitted.length >= refuseAfter) throw new RangeError('no space')
    const [row] = writes.flatMap((write) => (write.op === 'insert' ? [write.row] : []))
    admitted.push({ bytes, held: (row as { size: number }).size })
    reserved += 1
    return { end: () => void reserved-- }
  }
  const parts = {
    storage,
    attachments,
    budgets: { admit, readAtMs: async () => nowMs },
    clock,
    ids,
    log: silentLog,
  }
  const envelope = { from: 'a@example.com', to: ['help@acme.test'] }
  const store = storage.forTenant(tenantId)
  return {
    admitted,
    reserved: () => reserved,
    store,
    take: (bytes: AsyncIterable<Uint8Array>, length?: number) =>
      storeMail(parts, { tenantId, inboxId, door: 'http', envelope, bytes, length }),
    async kept() {
      const mails = await store.inboundMails.listRows({ page: 1, limit: 10 })
      const keys: string[] = []
      for await (const key of attachments.list()) if (key.tenantId === tenantId) keys.push(key.id)
      return { mails: mails.rows, keys }
    },
  }
}

describe('a large mail', () => {
  test.each([
    ['of a known length', large.length, 65_536],
    ['of an unknown length', undefined, 65_536],
    ['in pieces of few bytes', undefined, 1_000],
  ])('%s goes to the store while it arrives, and is the mail that was sent', async (_, length, chunk) => {
    const door = openDoor()
    const { _id } = await door.take(inChunks(large, chunk), length)
    const {
      mails: [mail],
      keys,
    } = await door.kept()
    const sha256 = createHash('sha256').update(large).digest('hex')
    expect(mail).toMatchObject({ _id, sizeBytes: large.length, status: 'received' })
    expect(keys).toEqual([mail?.attachmentId])
    const row = await door.store.attachments.find(mail?.attachmentId ?? '')
    expect(row).toMatchObject({ state: 'stored', size: large.length, sha256, inboundMailId: _id })
    const stored = await attachments.read({ tenantId: door.store.tenantId, id: keys[0] ?? '' })
    expect(Buffer.concat((await stored?.toArray()) ?? []).toString() === large).toBe(true)
    expect(door.reserved()).toBe(0)
  })

  test('is admitted by its length; one of an unknown length again once it has arrived, beside its own row', async () => {
    const known = openDoor()
    await known.take(inChunks(large, 65_536), large.length)
    expect(known.admitted).toEqual([{ bytes: large.length, held: large.length }])
    const unknown = openDoor()
    await unknown.take(inChunks(large, 65_536))
    const most = 30 * 1024 * 1024 + 64 * 1024
    expect(unknown.admitted).toEqual([
      { bytes: 131_072, held: 131_072 },
      { bytes: large.length, held: large.length - most },
    ])
  })

  test('that is sent again is stored once, also when both arrive at the same time', async () => {
    const door = openDoor()
    const [first, second] = await Promise.all([1, 2].map(() => door.take(inChunks(large, 65_536))))
    const third = await door.take(inChunks(large, 65_536), large.length)
    expect([second, third]).toEqual([first, first])
    const { mails, keys } = await door.kept()
    expect(mails).toHaveLength(1)
    expect(keys).toEqual([mails[0]?.attachmentId])
    expect(door.reserved()).toBe(0)
  })

  test('that breaks off leaves nothing, and the error is that of its sender', async () => {
    const door = openDoor()
    async function* broken() {
      yield* inChunks(large, 65_536)
      throw new RangeError('the sender went away')
    }
    await expect(door.take(broken())).rejects.toThrow('the sender went away')
    expect(await door.kept()).toEqual({ mails: [], keys: [] })
    expect(door.reserved()).toBe(0)
  })

  test.each([0, 1])('that is refused leaves nothing, after %i admissions', async (refuseAfter) => {
    const door = openDoor({ refuseAfter })
    let isEnded = false
    async function* bytes() {
      try {
        yield* inChunks(large, 65_536)
      } finally {
        isEnded = true
      }
    }
    await expect(door.take(bytes())).rejects.toThrow('no space')
    expect(isEnded).toBe(true)
    expect(await door.kept()).toEqual({ mails: [], keys: [] })
    expect(door.reserved()).toBe(0)
  })
})
