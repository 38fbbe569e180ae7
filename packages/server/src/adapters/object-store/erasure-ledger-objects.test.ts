import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ObjectStore, startObjectStore } from '../../../test/support/object-store.ts'
import type { ErasureLedger, ErasureLine, LedgerPart } from '../../ports/erasure-ledger.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import { openErasureLedgerObjects } from './erasure-ledger-objects.ts'

let store: ObjectStore
beforeEach(async () => {
  store = await startObjectStore({ pageMax: 3 })
})
afterEach(() => store.close())

const open = (address = store.address) => openErasureLedgerObjects({ address, key: store.key })
const lineOf = (id: string): ErasureLine => ({
  at: '2026-11-28T12:00:00.000Z',
  tenantId: 'ten_1',
  kind: 'customers',
  id,
  addresses: [],
})

async function idsOf(part: LedgerPart | undefined): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = []
  for await (const line of part?.lines() ?? []) ids.push(line?.id)
  return ids
}

async function appendAll(ledger: ErasureLedger, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => ledger.append([lineOf(name)])))
}

test('a ledger in an object store gives back every line, and those after a position, over several pages of its list', async () => {
  const ledger = open()
  expect(await ledger.read(undefined)).toBeUndefined()
  await appendAll(ledger, ['a', 'b', 'c', 'd'])
  const position = await ledger.append([lineOf('e'), lineOf('f')])
  await appendAll(ledger, ['g', 'h'])
  expect(await idsOf(await ledger.read(undefined))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  const part = await open().read(position)
  expect([part?.isContinued, await idsOf(part)]).toEqual([true, ['g', 'h']])
  expect(await idsOf(await ledger.read(part?.end))).toEqual([])
  expect((await ledger.read(part?.end))?.isContinued).toBe(true)
})

test('of lines that several processes append at once none is lost or written over', async () => {
  const names = Array.from({ length: 12 }, (_, index) => String(index))
  await Promise.all(
    ['one', 'two', 'three'].map((of) =>
      appendAll(
        open(),
        names.map((name) => `${of} ${name}`),
      ),
    ),
  )
  const ids = await idsOf(await open().read(undefined))
  expect(new Set(ids).size).toBe(36)
  expect(store.objects.size).toBe(36)
})

test('another ledger than the one of a position is read whole', async () => {
  const position = await open().append([lineOf('a')])
  store.objects.clear()
  await appendAll(open(), ['b', 'c'])
  const part = await open().read(position)
  expect([part?.isContinued, await idsOf(part)]).toEqual([false, ['b', 'c']])
})

test('an error of the store that passes is tried again, and one that stays says what the store said', async () => {
  const ledger = open()
  store.refuse(2, 503, 'SlowDown')
  await ledger.append([lineOf('a')])
  expect(store.objects.size).toBe(1)
  await ledger.assertWritable()
  expect(await idsOf(await ledger.read(undefined))).toEqual(['a'])
  const [wrongKey, elsewhere] = [
    { key: 'AKIDOFTESTS:wrong' },
    { address: store.address.replace('erasures', 'others') },
  ]
  const of = (other: object) => openErasureLedgerObjects({ address: store.address, key: store.key, ...other })
  await expect(of(wrongKey).append([lineOf('b')])).rejects.toThrow(/refused .*: 403 SignatureDoesNotMatch$/)
  await expect(of(wrongKey).assertWritable()).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(of(elsewhere).read(undefined)).rejects.toThrow(/404 NoSuchBucket$/)
})
