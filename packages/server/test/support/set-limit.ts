import type { MailInbox } from './mail-inbox.ts'
import type { RunningService } from './start-service.ts'

/** Sets a limit of the inbox's tenant, as an operator does. */
export async function setLimit(
  { service }: Pick<RunningService, 'service'>,
  { owner }: MailInbox,
  [name, value]: readonly [name: string, value: number],
): Promise<void> {
  const { system } = service.storage
  const tenant = await system.findTenant(owner.tenant._id)
  if (tenant === undefined) throw new Error('there is no tenant')
  const { tenantId, version: expectVersion } = tenant
  const set = { limits: { ...tenant.limits, [name]: value } }
  const write = { op: 'update', kind: 'tenants', id: tenant._id, expectVersion, set } as const
  await system.commit(tenantId, { writes: [write], events: [] })
}
