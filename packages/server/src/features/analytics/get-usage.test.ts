import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteStorage } from '../../adapters/sqlite/sqlite-storage.ts'
import type { TenantId } from '../../storage/records.ts'
import { handleGetUsage } from './get-usage.ts'

const tenantId = 'ten_1' as TenantId
const month = '2026-03'

/** The usage of a tenant with this limit that made 1,250 requests. */
async function usageWith(apiCalls: number | undefined) {
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-usage-'))
  const storage = await openSqliteStorage({ path: path.join(folder, 'crm.db') })
  onTestFinished(async () => {
    await storage.close()
    await rm(folder, { recursive: true })
  })
  const ofTenant = { tenantId, month, apiKeyId: null, path: '/api/v1/customers' }
  await storage.system.addUsage([
    { ...ofTenant, method: 'GET', requests: 1_200 },
    { ...ofTenant, method: 'POST', requests: 50 },
  ])
  const tenantLimits = apiCalls === undefined ? undefined : { apiCalls }
  const ctx = { store: storage.forTenant(tenantId), now: '2026-03-31T12:00:00.000Z', tenantLimits }
  const { reply } = await handleGetUsage(ctx as never, { params: {}, query: { month }, body: {} })
  return reply.data
}

it.each([
  [1_000, { requests: 250, percentage: 25 }],
  [300, { requests: 950, percentage: 316.67 }],
  [1_250, { requests: 0, percentage: 0 }],
  [2_000, { requests: 0, percentage: 0 }],
  [0, { requests: 1_250, percentage: 100 }],
])(
  'a limit of %d requests shows the requests beyond it, and their share of the limit',
  async (apiCalls, overage) => {
    expect(await usageWith(apiCalls)).toMatchObject({
      usage: { totalRequests: 1_250 },
      limits: { apiCalls, isUnlimited: false },
      overage,
    })
  },
)

it.each([undefined, -1])('a limit of %s is none, and nothing is beyond it', async (apiCalls) => {
  expect(await usageWith(apiCalls)).toMatchObject({
    limits: { apiCalls: -1, isUnlimited: true },
    overage: { requests: 0, percentage: 0 },
  })
})
