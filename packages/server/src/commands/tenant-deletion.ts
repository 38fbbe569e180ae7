import { setTimeout as wait } from 'node:timers/promises'
import {
  beginTenantDeletion,
  deleteTenantPage,
  endTenantDeletion,
  type TenantDeletion,
} from '../jobs/delete-tenant.ts'
import type { Service } from '../main/compose/service.ts'
import { isoTime } from '../shared/clock.ts'
import { storedKinds } from '../storage/kinds/derive.ts'
import { type CommandContext, CommandError, readArgs, rowOptions, withService } from './command.ts'
import { getTenant, type OwnedTenant } from './tenants.ts'

/** Servers of this database refuse the tenant after this time, and write nothing of it any more. */
const quietMs = 11_000

export async function deleteTenant(args: string[]): Promise<void> {
  const { values, positionals } = readArgs(args, {
    names: ['TENANT_ID'],
    options: { ...rowOptions, yes: { type: 'boolean' } },
  })
  await withService(async (context) => {
    const tenant = await getTenant(context.service, positionals[0] ?? '')
    const counts = await countRows(context.service, tenant)
    for (const [kind, count] of counts) context.print({ kind, count })
    if (values.yes !== true)
      throw new CommandError(`Nothing was deleted. --yes deletes ${tenant.name} with all of these rows`)
    const { storage, erasures } = context.service
    const task = await beginTenantDeletion(storage.system, tenant, isoTime(Date.now()))
    await erasures.record({ tenantId: tenant.tenantId, task })
    context.say(`${tenant.name} is refused from now on, and is being deleted.`)
    await removeAll(context, tenant)
    context.say(`Deleted ${tenant.name}: ${sumOf(counts)} rows, and the bytes of its files.`)
  }, values)
}

const sumOf = (counts: readonly (readonly [string, number])[]) =>
  counts.reduce((sum, [, count]) => sum + count, 0)

async function countRows({ storage }: Pick<Service, 'storage'>, { tenantId }: OwnedTenant) {
  const counts: (readonly [string, number])[] = []
  for (const kind of storedKinds) {
    const count = await storage.system.countRows({ kind, tenantId })
    if (count > 0) counts.push([kind, count])
  }
  return counts
}

async function removeAll({ service, say }: CommandContext, { tenantId }: OwnedTenant): Promise<void> {
  const parts: TenantDeletion = service
  const quietAt = Date.now() + quietMs
  for (let said: string | undefined; ; ) {
    const removed = await deleteTenantPage(parts, tenantId)
    if (removed !== undefined) {
      if (removed.kind !== said) say(`Deleting ${removed.kind}`)
      said = removed.kind
      continue
    }
    if (Date.now() >= quietAt) break
    await wait(1_000)
  }
  await endTenantDeletion(parts, tenantId)
}
