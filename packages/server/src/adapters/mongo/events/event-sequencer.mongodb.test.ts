import { eventTypes } from '@crmkit/core'
import type { Connection } from 'mongoose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleEvent } from '../../../../test/contracts/storage/samples.contract.ts'
import { migratedDatabase, withDatabase } from '../../../../test/support/mongo-database.ts'
import type { Storage } from '../../../ports/storage.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openMongoStorage } from '../mongo-storage.ts'

const tenantId = 'ten_1' as TenantId

let url: string

let remove: () => Promise<void>
let storage: Storage
beforeEach(async () => {
  ;({ url, remove } = migratedDatabase())
  storage = await openMongoStorage({ url })
  await storage.migrate()
})
afterEach(async () => {
  await storage.close()
  await remove()
})

async function commitEvents(count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () => sampleEvent())
  await storage.forTenant(tenantId).commit({ writes: [], events })
  return events.map(({ _id }) => _id)
}

async function readIds(): Promise<string[]> {
  const events = await storage.forTenant(tenantId).events.read({ types: eventTypes, limit: 100 })
  return events.map(({ _id }) => _id)
}

/** The two writes of a sequencer, made by hand so that the test can pause between them. */
function stoppedSequencer(connection: Connection, ids: readonly string[]) {
  const refs = ids.map((id) => ({ tenantId, id }))
  const sequence = connection.collection<{ _id: string }>('eventSequence')
  return {
    async plan() {
      const keys = { visible: 0, planned: ids.length, plan: JSON.stringify(refs) }
      await sequence.updateOne({ _id: ':log' }, { $set: { tenantId: '', id: 'log', keys } }, { upsert: true })
    },
    async give() {
      const events = connection.collection<{ _id: string }>('events')
      for (const [index, id] of ids.entries()) {
        const isNew = { _id: `${tenantId}:${id}`, 'keys.isNew': 1 }
        await events.updateOne(isNew, { $set: { 'keys.position': index + 1 }, $unset: { 'keys.isNew': '' } })
      }
    },
    async show() {
      const isMine = { _id: ':log', 'keys.visible': 0, 'keys.planned': ids.length }
      await sequence.updateOne(isMine, {
        $set: { keys: { visible: ids.length, planned: ids.length, plan: '[]' } },
      })
    },
  }
}

test('an event that has its position and is not shown yet still waits', async () => {
  const ids = await commitEvents(2)
  const waiting = async () => (await storage.system.backlog(10)).unsequencedEvents
  await withDatabase(url, async (connection) => {
    const sequencer = stoppedSequencer(connection, ids)
    await sequencer.plan()
    await sequencer.give()
    expect([await readIds(), await waiting()]).toEqual([[], 2])
    await sequencer.show()
    expect([await readIds(), await waiting()]).toEqual([ids, 0])
  })
})

test('events that a dead sequencer had planned get exactly their planned positions from the next one', async () => {
  await withDatabase(url, async (connection) => {
    const first = await commitEvents(3)
    await stoppedSequencer(connection, [...first].reverse()).plan()
    expect(await readIds()).toEqual([])
    const second = await commitEvents(2)
    expect(await storage.system.sequenceEvents(10)).toEqual({ count: 5, tenantIds: [tenantId] })
    expect(await readIds()).toEqual([...[...first].reverse(), ...second])
  })
})

test('a sequencer that was suspended during its successor’s work changes nothing when it continues', async () => {
  await withDatabase(url, async (connection) => {
    const sleeper = stoppedSequencer(connection, await commitEvents(3))
    await sleeper.plan()
    await storage.system.sequenceEvents(10)
    await commitEvents(2)
    await storage.system.sequenceEvents(10)
    const before = await storage.forTenant(tenantId).events.read({ types: eventTypes, limit: 100 })
    expect(before).toHaveLength(5)
    await sleeper.give()
    await sleeper.show()
    await commitEvents(1)
    await storage.system.sequenceEvents(10)
    const after = await storage.forTenant(tenantId).events.read({ types: eventTypes, limit: 100 })
    expect(after.slice(0, 5)).toEqual(before)
    expect(after).toHaveLength(6)
  })
})

test('events of a version without positions get them with the migration, in the order of their ids', async () => {
  await withDatabase(url, async (connection) => {
    const ids = await commitEvents(4)
    await connection.collection('events').updateMany({}, { $unset: { keys: '' } })
    const state = connection.collection<{ _id: string; version: number }>('serverState')
    const set = await state.updateOne({ _id: 'schema' }, { $set: { version: 1 } })
    expect(set.matchedCount).toBe(1)
    await storage.migrate()
    await storage.system.sequenceEvents(10)
    expect(await readIds()).toEqual(ids)
  })
})
