import { createIdFactory } from '@crmkit/core'
import { afterEach, expect, test } from 'vitest'
import { createRunTasks } from '../../src/jobs/run-tasks.ts'
import { taskHandlers } from '../../src/main/compose/job-registry.ts'
import type { Write } from '../../src/ports/change.ts'
import type { TenantStore } from '../../src/ports/storage.ts'
import { storedKinds } from '../../src/storage/kinds/derive.ts'
import type { Kind } from '../../src/storage/kinds/registry.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { noRecords } from '../support/no-records.ts'
import { silentLog } from '../support/silent-log.ts'
import { openTestAttachments, openTestDatabase } from '../support/test-world.ts'
import { insertOf, sample } from './storage/samples.contract.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Rows of the whole server have no tenant. */
const ofServer: readonly Kind[] = ['identities', 'settings']

test('the deletion of a tenant leaves no row of any kind and no bytes, and nothing of another tenant goes', async () => {
  const { storage, remove } = await openTestDatabase()
  const { store: attachments, cleanup } = await openTestAttachments()
  ends.push(() => storage.close(), remove, cleanup)
  let nowMs = Date.parse('2026-11-26T12:00:00.000Z')
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
  const ids = createIdFactory(clock.nowMs)
  const { system } = storage
  const filled = async (): Promise<{ tenantId: TenantId; store: TenantStore }> => {
    const tenantId = ids.next('ten') as TenantId
    const store = storage.forTenant(tenantId)
    const insert = async (kind: Kind, fields: object) => {
      // One after the other: an owner comes before its children.
      const row = { ...sample[kind](tenantId, fields as never), ...fields }
      const write = insertOf(kind, row as never) as Write<Kind>
      await system.commit(tenantId, { writes: [write], events: [] })
    }
    await insert('tenants', { _id: tenantId })
    for (const kind of storedKinds) {
      if (kind === 'tenants' || ofServer.includes(kind)) continue
      const isErased = kind === 'attachments' ? { erasedAt: null, messageId: null } : {}
      await insert(kind, {
        ...isErased,
        ...(kind === 'tasks' && { _id: `tsk_${tenantId}`, type: 'releaseUser' }),
      })
    }
    await attachments.write({ tenantId, id: await firstId('attachments', tenantId) }, [
      Buffer.from('bytes'),
    ] as never)
    return { tenantId, store }
  }
  const firstId = async (kind: Kind, tenantId: TenantId) =>
    (await system.readRows({ kind, tenantId, after: '', limit: 1 })).rows[0]?._id ?? ''
  const kindsOf = async (tenantId: TenantId) => {
    const counts = await Promise.all(
      storedKinds.map(async (kind) => ((await system.countRows({ kind, tenantId })) > 0 ? [kind] : [])),
    )
    return counts.flat()
  }
  const [gone, stays] = [await filled(), await filled()]
  const before = await kindsOf(stays.tenantId)
  expect(before.length).toBeGreaterThan(35)
  const requestedAt = new Date(nowMs).toISOString()
  const task = {
    _id: `tsk_delete_${gone.tenantId}`,
    tenantId: gone.tenantId,
    type: 'deleteTenant' as const,
    subjectId: gone.tenantId,
    targetId: null,
    requestedAt,
  }
  await system.commit(gone.tenantId, { writes: [insertOf('tasks', task)], events: [] })
  const work = () =>
    createRunTasks({
      storage,
      attachments,
      clock,
      ids,
      log: silentLog,
      handlers: { ...taskHandlers, releaseUser: async () => undefined },
      steps: [],
      senderOfMail: async () => null,
      erasures: noRecords,
      holder: crypto.randomUUID(),
    })
  await work().runDue()
  // Until no request can be left that began before, the tenant itself stays.
  expect(await kindsOf(gone.tenantId)).toEqual(['tenants', 'tasks'])
  nowMs += 11_000
  await work().runDue()
  expect(await kindsOf(gone.tenantId)).toEqual([])
  expect(await system.findTenant(gone.tenantId)).toBeUndefined()
  const keys: string[] = []
  for await (const { tenantId } of attachments.list()) keys.push(tenantId)
  expect(keys).toEqual([stays.tenantId])
  const after = await kindsOf(stays.tenantId)
  expect(before.filter((kind) => !after.includes(kind) && kind !== 'tasks')).toEqual([])
})
