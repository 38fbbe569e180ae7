import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AttachmentKey, AttachmentStore } from '../../src/ports/attachment-store.ts'

export interface OpenAttachmentStore {
  store: AttachmentStore
  /** The same bytes through another store, as of another process. */
  openAgain(): Promise<AttachmentStore>
  cleanup(): Promise<void>
}

async function* chunksOf(bytes: Uint8Array, length = 65_536): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length)
}

async function bytesOf(stream: Readable | undefined): Promise<Buffer | undefined> {
  return stream && Buffer.concat(await stream.toArray())
}

let keys = 0
function newKey(): AttachmentKey {
  return { tenantId: 'ten_1', id: `att_${++keys}` }
}

const hostile = [
  '',
  '.',
  '..',
  '../../outside',
  '..\\..\\outside',
  '/etc/passwd',
  'C:\\outside',
  'a/b',
  'a%2fb',
  'a\u0000b',
  '\ud800',
  '"\\ud800"',
  '$where',
  'ä'.repeat(500),
  'CON',
]

/** What every store of attachments promises. `open` gives an empty one. */
export function describeAttachmentStoreContract(
  name: string,
  open: () => Promise<OpenAttachmentStore>,
): void {
  describe(`${name} keeps the promise of an attachment store`, () => {
    let opened: OpenAttachmentStore
    const store = () => opened.store
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.cleanup())

    test.each([0, 1, 255 * 1024, 255 * 1024 + 1, 3_000_000])(
      'gives %i bytes back as they came',
      async (size) => {
        const [key, bytes] = [newKey(), randomBytes(size)]
        await store().write(key, chunksOf(bytes))
        expect((await bytesOf(await store().read(key)))?.equals(bytes)).toBe(true)
        expect(await store().sizeOf(key)).toBe(size)
      },
    )

    test('shows another process what is written, and no longer what is removed', async () => {
      const [key, other] = [newKey(), await opened.openAgain()]
      await store().write(key, chunksOf(Buffer.from('seen')))
      expect(String(await bytesOf(await other.read(key)))).toBe('seen')
      await other.remove(key)
      expect(await store().read(key)).toBeUndefined()
      await other.close()
    })

    test('lists the keys that have bytes, with their size, and no key that was removed', async () => {
      const keyOf = (end: string): AttachmentKey => ({
        tenantId: 'ten_01HZX3J4K5M6N7P8Q9R0S1T2V3',
        id: `att_01HZX3J4K5M6N7P8Q9R0S1T2${end}`,
      })
      const [first, second, removed] = [keyOf('AA'), keyOf('AB'), keyOf('BA')]
      await store().write(first, chunksOf(randomBytes(300_000)))
      await store().write(second, chunksOf(randomBytes(7)))
      await store().write(removed, chunksOf(randomBytes(7)))
      await store().remove(removed)
      const listed: AttachmentKey[] = []
      for await (const key of store().list()) listed.push(key)
      expect(listed).toEqual(expect.arrayContaining([first, second]))
      expect(listed).not.toContainEqual(removed)
      const sizes = await Promise.all([first, second, removed].map((key) => store().sizeOf(key)))
      expect(sizes).toEqual([300_000, 7, undefined])
    })

    test('knows nothing of what was never written', async () => {
      expect(await store().read(newKey())).toBeUndefined()
      expect(await store().sizeOf(newKey())).toBeUndefined()
      await store().remove(newKey())
    })

    test('replaces what was there', async () => {
      const key = newKey()
      await store().write(key, chunksOf(Buffer.from('a long first version')))
      await store().write(key, chunksOf(Buffer.from('short')))
      expect(String(await bytesOf(await store().read(key)))).toBe('short')
    })

    test('shows nothing until the last byte is there', async () => {
      const key = newKey()
      const { promise: middle, resolve: reachMiddle } = Promise.withResolvers<void>()
      const { promise: goOn, resolve: finish } = Promise.withResolvers<void>()
      async function* slow() {
        yield randomBytes(600_000)
        reachMiddle()
        await goOn
        yield randomBytes(10)
      }
      const writing = store().write(key, slow())
      await middle
      expect(await store().read(key)).toBeUndefined()
      finish()
      await writing
      expect(await bytesOf(await store().read(key))).toHaveLength(600_010)
    })

    test('keeps nothing of bytes that broke off, and says why they did', async () => {
      const key = newKey()
      async function* broken() {
        yield randomBytes(600_000)
        throw new RangeError('the sender went away')
      }
      await expect(store().write(key, broken())).rejects.toThrow(RangeError)
      expect(await store().read(key)).toBeUndefined()
    })

    test('keeps tenants and ids apart, whatever they hold', async () => {
      const all = hostile.flatMap((text) => [
        { tenantId: text, id: 'att_1' },
        { tenantId: 'ten_9', id: text },
      ])
      for (const key of all) await store().write(key, chunksOf(Buffer.from(JSON.stringify(key))))
      for (const key of all) {
        expect(String(await bytesOf(await store().read(key)))).toBe(JSON.stringify(key))
        expect(await store().read({ tenantId: key.id, id: key.tenantId })).toBeUndefined()
      }
      for (const key of all) await store().remove(key)
      for (const key of all) expect(await store().read(key)).toBeUndefined()
    })
  })
}
