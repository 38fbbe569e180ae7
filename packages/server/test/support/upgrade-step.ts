import path from 'node:path'
import { createIdFactory } from '@crmkit/core'
import { onTestFinished } from 'vitest'
import { createRunTasks } from '../../src/jobs/run-tasks.ts'
import { taskHandlers } from '../../src/main/compose/job-registry.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { noRecords } from './no-records.ts'
import { silentLog } from './silent-log.ts'
import { openTestDatabase } from './test-world.ts'

type RunTasksParts = Parameters<typeof createRunTasks>[0]

/** An empty tenant whose rows a step upgrades at a moment. The database is closed when the test ends. */
export async function openForStep(now: string) {
  const { storage, url, folder, remove } = await openTestDatabase()
  onTestFinished(async () => {
    await storage.close()
    await remove()
  })
  const clock = { nowMs: () => Date.parse(now) }
  const ids = createIdFactory(clock.nowMs)
  const tenantId = ids.next('ten') as TenantId
  const tenant = insertOf('tenants', sample.tenants(tenantId, { _id: tenantId }))
  await storage.system.commit(tenantId, { writes: [tenant], events: [] })
  return {
    storage,
    tenantId,
    store: storage.forTenant(tenantId),
    databaseUrl: url ?? `sqlite:${path.join(folder, 'crm.db')}`,
    /** Upgrades all rows, and returns what the tenant says about it. */
    async run(
      step: NonNullable<RunTasksParts['steps']>[number],
      given: Partial<Pick<RunTasksParts, 'attachments' | 'senderOfMail'>> = {},
    ) {
      const parts: RunTasksParts = {
        storage,
        clock,
        ids,
        log: silentLog,
        attachments: { remove: async () => {} },
        handlers: taskHandlers,
        steps: [step],
        senderOfMail: async () => null,
        erasures: noRecords,
        holder: 'test',
        ...given,
      }
      await createRunTasks(parts).runDue()
      return (await storage.system.findTenant(tenantId))?.upgrades
    },
  }
}
