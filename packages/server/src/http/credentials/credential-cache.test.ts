import { expect, test } from 'vitest'
import type { TenantId } from '../../storage/records.ts'
import { CredentialCache } from './credential-cache.ts'

const known = { tenantId: 'ten_1' as TenantId }

test('the age of a cached value counts from the start of its read, however late the storage returns it', async () => {
  let nowMs = 1_800_000_000_000
  let loads = 0
  const cache = new CredentialCache({ nowMs: () => nowMs }, async () => {
    loads += 1
    nowMs += 6_000
    return known
  })
  await cache.get('key')
  nowMs += 3_999
  expect(cache.get('key')).toEqual(known)
  nowMs += 1
  await cache.get('key')
  expect(loads).toBe(2)
})

test('requests of one moment share a read, except across a change of the credential', async () => {
  let loads = 0
  const cache = new CredentialCache({ nowMs: () => 1_800_000_000_000 }, async () => {
    loads += 1
    await new Promise(setImmediate)
    return known
  })
  await Promise.all([cache.get('key'), cache.get('key')])
  expect(loads).toBe(1)
  cache.forget(null)
  const early = cache.get('key')
  cache.forget(null)
  await Promise.all([early, cache.get('key')])
  expect(loads).toBe(3)
})
