import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { collections } from '../../src/adapters/mongo/connection/collections.ts'
import { isTargeted, shardedCollections } from '../support/shard-targeting.ts'

const guide = readFileSync(fileURLToPath(new URL('../../../../docs/scaling.md', import.meta.url)), 'utf8')

test('every index of a sharded collection begins with the shard key, so unique values stay unique', () => {
  const others = Object.entries(collections).flatMap(([name, { scope, indexes }]) =>
    Object.entries(indexes)
      .filter(([, { fields }]) => scope === 'tenant' && fields[0] !== 'tenantId')
      .map(([index]) => `${name}.${index}`),
  )
  expect(others).toEqual([])
})

test('the guide names exactly the collections that are sharded', () => {
  const list =
    /shard these collections by `\{ tenantId: 1 \}`:([\s\S]*?)\. Every index/.exec(guide)?.[1] ?? ''
  const named = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(named.sort()).toEqual([...shardedCollections].sort())
})

const row = { tenantId: 'ten_1', _id: 'ten_1:row_1' }

test.each([
  ['find', { filter: row }],
  ['find', { filter: { $and: [{ _id: 'ten_1:row_1' }, { tenantId: 'ten_1' }] } }],
  ['find', { filter: { tenantId: { $in: ['ten_1', 'ten_2'] } } }],
  [
    'aggregate',
    { pipeline: [{ $match: row }, { $unionWith: { coll: 'events', pipeline: [{ $match: row }] } }] },
  ],
  ['insert', { documents: [row] }],
  ['update', { updates: [{ q: row }, { q: { tenantId: { $in: ['ten_1', 'ten_2'] } }, multi: true }] }],
  ['delete', { deletes: [{ q: row, limit: 1 }] }],
  ['findAndModify', { query: row }],
])('%s with %j asks the shards of its tenants alone', (name, command) => {
  expect(isTargeted({ name, collection: 'events', command })).toBe(true)
})

test.each([
  ['find', { filter: { _id: 'ten_1:row_1' } }],
  ['find', { filter: { tenantId: { $gt: 'ten_1' } } }],
  ['find', { filter: { $or: [row, { id: 'row_1' }] } }],
  ['aggregate', { pipeline: [{ $sort: { tenantId: 1 } }, { $match: row }] }],
  [
    'aggregate',
    { pipeline: [{ $match: row }, { $lookup: { from: 'users', localField: 'a', foreignField: 'b' } }] },
  ],
  ['aggregate', { pipeline: [{ $match: row }, { $unionWith: { coll: 'events', pipeline: [] } }] }],
  ['insert', { documents: [row, { _id: 'ten_1:row_2' }] }],
  ['update', { updates: [{ q: { tenantId: { $in: ['ten_1'] } } }] }],
  ['update', { updates: [{ q: row }, { q: { id: 'row_1' }, multi: true }] }],
  ['delete', { deletes: [{ q: { id: 'row_1' }, limit: 0 }] }],
  ['findAndModify', { query: { _id: 'ten_1:row_1' } }],
])('%s with %j is found to ask other shards', (name, command) => {
  expect(isTargeted({ name, collection: 'events', command })).toBe(false)
})
