import { isoTime } from '../shared/clock.ts'
import { dayOf, hasRows, limitNames, limitOf, unlimited } from '../storage/kinds/quotas.ts'
import type { TenantLimits } from '../storage/kinds/tenants.ts'
import { type CommandContext, CommandError, readArgs, rowOptions, withService } from './command.ts'
import { systemAudit } from './system-audit.ts'
import { getTenant, type OwnedTenant } from './tenants.ts'

/** Prints the limits of a tenant, or sets one. */
export async function setLimit(args: string[]): Promise<void> {
  const given = args.filter((each) => !each.startsWith('-')).length
  const names = ['TENANT_ID', 'NAME', 'VALUE'].slice(0, Math.max(given, 1))
  const { values, positionals } = readArgs(args, { names, options: rowOptions })
  const [id = '', name, value] = positionals
  if (name !== undefined && !limitNames.includes(name))
    throw new CommandError(`There is no limit ${name}. The limits are ${limitNames.join(', ')}`)
  await withService(async (context) => {
    const tenant = await getTenant(context.service, id)
    if (name !== undefined && value !== undefined) await storeLimit(context, { tenant, name, value })
    else for (const one of name === undefined ? limitNames : [name]) await printLimit(context, tenant, one)
  }, values)
}

interface LimitChange {
  tenant: OwnedTenant
  name: string
  value: string
}

async function storeLimit({ service, say }: CommandContext, change: LimitChange): Promise<void> {
  const { tenant, name, value } = change
  const { tenantId, version: expectVersion } = tenant
  const now = isoTime(Date.now())
  const limits = withLimit(tenant.limits, { name, limit: parseLimit(value) })
  const target = { type: 'tenant', _id: tenant._id }
  const audit = systemAudit(service, { tenantId, now, action: 'tenant.limitSet', target, changed: [name] })
  const set = { limits, updatedAt: now }
  await service.storage.system.commit(tenantId, {
    writes: [{ op: 'update', kind: 'tenants', id: tenant._id, expectVersion, set }, audit],
    events: [],
  })
  const shown = textOf(limitOf(name, limits))
  say(`The limit ${name} of ${tenant.name} is ${shown}. Running servers follow within 10 seconds.`)
}

function withLimit(
  limits: TenantLimits | undefined,
  { name, limit }: { name: string; limit: number | undefined },
): TenantLimits {
  const others = Object.entries(limits ?? {}).filter(([other]) => other !== name)
  return Object.fromEntries(limit === undefined ? others : [...others, [name, limit]])
}

/** Returns undefined for the default. */
function parseLimit(value: string): number | undefined {
  if (value === 'default') return undefined
  if (value === 'unlimited') return unlimited
  const limit = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (Number.isNaN(limit))
    throw new CommandError(`A limit is a whole number, unlimited or default, not ${value}`)
  return limit
}

function textOf(limit: number): string {
  return limit === unlimited ? 'unlimited' : `${limit}`
}

async function printLimit(
  { service, print }: CommandContext,
  { tenantId, limits }: OwnedTenant,
  name: string,
): Promise<void> {
  const store = service.storage.forTenant(tenantId)
  const since = dayOf(name, isoTime(Date.now()))
  const used = hasRows(name) ? await store.usedOf(name, since === undefined ? undefined : { since }) : null
  const limit = limitOf(name, limits)
  print({ name, limit: limit === unlimited ? textOf(limit) : limit, used })
}
