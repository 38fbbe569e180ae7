import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { describeAttachmentStoreContract } from '../../../test/contracts/attachment-store.contract.ts'
import { startProxy } from '../../../test/support/cuttable-proxy.ts'
import { startSlowStore, startVersitygw, type Versitygw } from '../../../test/support/versitygw.ts'
import type { AttachmentKey } from '../../ports/attachment-store.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import { openObjectAttachmentStore } from './object-attachment-store.ts'

let server: Versitygw
beforeAll(async () => {
  server = await startVersitygw()
})
afterAll(() => server.stop())

describeAttachmentStoreContract('The attachment store in an object store', async () => {
  const place = await server.makeBucket()
  const store = openObjectAttachmentStore(place)
  return { store, openAgain: async () => openObjectAttachmentStore(place), cleanup: () => store.close() }
})

const keyOf = (end: string): AttachmentKey => ({
  tenantId: 'ten_01HZX3J4K5M6N7P8Q9R0S1T2V3',
  id: `att_01HZX3J4K5M6N7P8Q9R0S1T2${end}`,
})
const bucketOf = ({ address }: { address: string }) => new URL(address).host
const uploadsOf = async (place: { address: string }) =>
  [...(await server.ask(`${bucketOf(place)}?uploads=`)).matchAll(/<UploadId>/g)].length

/** The same place, through another port. */
function through(port: number, place: { address: string; key: string }) {
  return { ...place, address: place.address.replace(String(server.port), String(port)) }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
}

test('a store that goes away in the middle of an upload in parts: nothing can be read, and the removal ends the parts too', async () => {
  const place = await server.makeBucket()
  const store = openObjectAttachmentStore(place)
  const bytes = randomBytes(20_000_000)
  async function* cut() {
    yield bytes
    await server.kill()
    yield bytes
  }
  await expect(store.write(keyOf('AA'), cut())).rejects.toThrow(StorageUnavailable)
  await server.start()
  expect(await store.read(keyOf('AA'))).toBeUndefined()
  expect(await uploadsOf(place)).toBe(1)
  await store.remove(keyOf('AA'))
  expect(await uploadsOf(place)).toBe(0)
})

test('an upload in parts whose sender goes away is ended in the store, and one that was removed meanwhile is refused', async () => {
  const place = await server.makeBucket()
  const store = openObjectAttachmentStore(place)
  const other = openObjectAttachmentStore(place)
  const bytes = randomBytes(20_000_000)
  async function* broken() {
    yield bytes
    throw new RangeError('the sender went away')
  }
  await expect(store.write(keyOf('AA'), broken())).rejects.toThrow(RangeError)
  expect(await uploadsOf(place)).toBe(0)
  async function* removed() {
    yield bytes
    expect(await uploadsOf(place)).toBe(1)
    await other.remove(keyOf('AA'))
    yield bytes
  }
  await expect(store.write(keyOf('AA'), removed())).rejects.toThrow(StorageUnavailable)
  expect(await store.sizeOf(keyOf('AA'))).toBeUndefined()
  expect(await uploadsOf(place)).toBe(0)
})

test('forty uploads at once hold a small part of their bytes in memory', async () => {
  const store = openObjectAttachmentStore(await server.makeBucket())
  const piece = randomBytes(65_536)
  let mostBytes = 0
  async function* counted() {
    for (let sent = 0; sent < 15_000_000; sent += piece.length) {
      mostBytes = Math.max(mostBytes, process.memoryUsage().arrayBuffers)
      yield piece
    }
  }
  const before = process.memoryUsage().arrayBuffers
  const keys = Array.from({ length: 40 }, (_, index) => keyOf(`A${String(index).padStart(2, '0')}`))
  await Promise.all(keys.map((key) => store.write(key, counted())))
  expect(await Promise.all(keys.map((key) => store.sizeOf(key)))).toEqual(keys.map(() => 229 * 65_536))
  expect((mostBytes - before) / 1_000_000).toBeLessThan(200)
})

test('an empty temporary directory is left behind, also by an upload that fails', async () => {
  const place = await server.makeBucket()
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-uploads-'))
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
  const store = openObjectAttachmentStore(place)
  await store.write(keyOf('AA'), piecesOf(randomBytes(20_000_000)))
  async function* broken() {
    yield randomBytes(20_000_000)
    throw new RangeError('the sender went away')
  }
  await expect(store.write(keyOf('AB'), broken())).rejects.toThrow(RangeError)
  expect(readdirSync(folder)).toEqual([])
  vi.stubEnv('TMPDIR', path.join(folder, 'missing'))
  await expect(store.write(keyOf('AB'), piecesOf(randomBytes(10)))).rejects.toThrow(StorageUnavailable)
})

test('bytes of several parts come back whole to a slow reader whose connection breaks', async () => {
  const place = await server.makeBucket()
  const proxy = await startProxy({ host: '127.0.0.1', port: server.port })
  onTestFinished(() => proxy.stop())
  const store = openObjectAttachmentStore(through(proxy.port, place))
  const bytes = randomBytes(20_000_000)
  await store.write(keyOf('AA'), piecesOf(bytes))
  const read: Buffer[] = []
  let cuts = 0
  for await (const piece of (await store.read(keyOf('AA'))) ?? []) {
    read.push(piece as Buffer)
    if (read.length % 100 === 0 && cuts < 3) {
      cuts += 1
      proxy.cut(1)
    }
  }
  expect(Buffer.concat(read).equals(bytes)).toBe(true)
  expect(cuts).toBe(3)
})

test('a refused connection and SlowDown are tried again, and a store that stays slow is unavailable', async () => {
  const place = await server.makeBucket()
  const slow = await startSlowStore(server.port)
  onTestFinished(slow.stop)
  const store = openObjectAttachmentStore(through(slow.port, place))
  const bytes = randomBytes(10_000_000)
  slow.refuse(3)
  await store.write(keyOf('AA'), piecesOf(bytes))
  slow.refuse(4)
  expect(Buffer.concat(await ((await store.read(keyOf('AA'))) ?? (await never())).toArray())).toEqual(bytes)
  slow.refuse(1_000)
  await expect(store.sizeOf(keyOf('AA'))).rejects.toThrow(/503 SlowDown|503 no code/)
  await expect(store.read(keyOf('AA'))).rejects.toThrow(/503 SlowDown/)
  await expect(store.write(keyOf('AB'), piecesOf(bytes))).rejects.toThrow(StorageUnavailable)
})

test('a wrong secret and a bucket that is missing are named, and are never taken for bytes that are missing', async () => {
  const place = await server.makeBucket()
  const wrong = openObjectAttachmentStore({ ...place, key: `${place.key}x` })
  const missing = openObjectAttachmentStore({
    ...place,
    address: place.address.replace(bucketOf(place), 'no-such-bucket'),
  })
  const small = () => piecesOf(Buffer.from('small'))
  for (const [store, code] of [
    [wrong, 'SignatureDoesNotMatch'],
    [missing, 'NoSuchBucket'],
  ] as const) {
    await expect(store.write(keyOf('AA'), small())).rejects.toThrow(code)
    await expect(store.read(keyOf('AA'))).rejects.toThrow(code)
    await expect(store.remove(keyOf('AA'))).rejects.toThrow(code)
    await expect(store.sizeOf(keyOf('AA'))).rejects.toThrow(StorageUnavailable)
  }
})

test('a removal leaves no version in a bucket that keeps them', async () => {
  const place = await server.makeBucket({ hasVersions: true })
  const store = openObjectAttachmentStore(place)
  await store.write(keyOf('AA'), piecesOf(Buffer.from('the first bytes')))
  await store.write(keyOf('AA'), piecesOf(Buffer.from('the second bytes')))
  await store.write(keyOf('AB'), piecesOf(Buffer.from('of another')))
  const versions = async () =>
    [...(await server.ask(`${bucketOf(place)}?versions=`)).matchAll(/<Key>[^<]*(.)<\/Key>/g)].map(
      ([, end]) => end,
    )
  expect(await versions()).toEqual(['A', 'A', 'B'])
  await store.remove(keyOf('AA'))
  expect(await versions()).toEqual(['B'])
})

async function never(): Promise<never> {
  throw new Error('the store has no such bytes')
}
