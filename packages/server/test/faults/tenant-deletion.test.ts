import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import { storedKinds } from '../../src/storage/kinds/derive.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { call, registerTenant } from '../support/call.ts'
import { runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { as, isIdle, killAt, linesOf, must, newFolder, startUntilDead } from './support/erasure-run.ts'

test('the deletion of a tenant goes on after the command and two servers were killed between its pages, and nothing is left', {
  timeout: 600_000,
}, async () => {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  const env = { PORT: '0', CRM_DATA_DIR: folder, CRM_LOG_LEVEL: 'error' }
  const first = await startProgram(serverProgram, ['start', '--dev'], env)
  const stays = await registerTenant(first.url)
  const { token, tenant } = await registerTenant(first.url)
  const owner = as(first.url, token)
  const inboxId = (await owner('GET', '/api/v1/inboxes')).body.data[0]._id
  for (let i = 0; i < 5; i += 1) {
    const customer = await must(owner('POST', '/api/v1/customers', { firstName: `Gone ${i}` }))
    const body = { subject: 'Help', inboxId, customerId: customer.body.data._id, message: { content: 'Hi' } }
    await must(owner('POST', '/api/v1/conversations', body))
  }
  await first.kill('SIGTERM')

  const args = ['tenants', 'delete', tenant._id, '--yes']
  const killed = await runProgram(serverProgram, args, {
    env: { ...env, ...killAt('during-tenant-deletion', 6) },
  })
  expect(killed.code).toBeNull()
  // Each page passes the point once for every kind before the one of its rows.
  for (const passage of [30, 90]) {
    await startUntilDead({ ...env, ...killAt('during-tenant-deletion', passage) })
    const storage = await openSqliteStorage({ path: path.join(folder, 'crm.sqlite') })
    expect(await storage.system.findTenant(tenant._id)).toMatchObject({ isSuspended: true })
    await storage.close()
  }

  const server = await startProgram(serverProgram, ['start', '--dev'], env)
  const storage = await openSqliteStorage({ path: path.join(folder, 'crm.sqlite') })
  await expect.poll(() => isIdle(storage), { timeout: 120_000, interval: 200 }).toBe(true)
  for (const kind of storedKinds) {
    const tenantId = tenant._id as TenantId
    expect([kind, await storage.system.countRows({ kind, tenantId })]).toEqual([kind, 0])
  }
  await storage.close()
  expect((await call(server.url, { path: '/api/v1/customers', token: stays.token })).status).toBe(200)
  expect(await server.kill('SIGTERM')).toBe(0)
  expect(readFileSync(path.join(folder, 'crm.sqlite'), 'latin1')).not.toContain(tenant._id)
  const ledger = path.join(folder, 'erasures.ndjson')
  expect(new Set(linesOf(ledger).map(({ kind, id }) => `${kind} ${id}`))).toEqual(
    new Set([`tenants ${tenant._id}`]),
  )
})
