import type { Write } from '../ports/change.ts'
import type { SystemStore } from '../ports/system-store.ts'
import { rulesOf } from '../storage/kinds/derive.ts'
import type { Kind } from '../storage/kinds/registry.ts'
import type { DoneUpgrades } from '../storage/kinds/tenants.ts'
import type { TenantId } from '../storage/records.ts'
import { upgradeSteps } from './steps.ts'
import type { UpgradeStep } from './upgrade-step.ts'

/** Holds, in `settings`, what the kinds of the whole server have done. */
export const settingName = 'rowUpgrades'

/** The rows of the whole server have the empty tenant id. */
export const serverId = '' as TenantId

/** A tenant, or the server, as the upgrades see it. */
export interface Upgradable {
  tenantId: TenantId
  done: DoneUpgrades
  /** Returns the write that stores what is done; it names the version that was read. */
  noteDone(done: DoneUpgrades, now: string): Write<Kind>
}

/** A tenant that is made now has rows of today's form alone. */
export function doneFromTheStart(now: string): { upgrades?: DoneUpgrades } {
  if (upgradeSteps.length === 0) return {}
  const all = upgradeSteps.filter((step) => !isOfServer(step))
  return { upgrades: Object.fromEntries(all.map(({ name }) => [name, { doneAt: now, skipped: 0 }])) }
}

function isOf(step: UpgradeStep, tenantId: TenantId): boolean {
  return isOfServer(step) === (tenantId === serverId)
}

function isOfServer({ kind }: UpgradeStep): boolean {
  return rulesOf(kind).owner === 'server'
}

/** Returns the next step that the tenant has to take; undefined when it is done with all of them. */
export function nextStep(
  steps: readonly UpgradeStep[],
  { tenantId, done }: Upgradable,
): UpgradeStep | undefined {
  return steps.find((step) => isOf(step, tenantId) && !(step.name in done))
}

type FoundTenant = Awaited<ReturnType<SystemStore['listTenants']>>[number]

function upgradableTenant({ _id, tenantId, version, upgrades = {} }: FoundTenant): Upgradable {
  return {
    tenantId,
    done: upgrades,
    noteDone: (done) => ({
      op: 'update',
      kind: 'tenants',
      id: _id,
      expectVersion: version,
      set: { upgrades: done },
    }),
  }
}

async function findServer(system: SystemStore): Promise<Upgradable> {
  const setting = await system.findSetting(settingName)
  const kind = 'settings'
  return {
    tenantId: serverId,
    done: setting ? (JSON.parse(setting.value) as DoneUpgrades) : {},
    noteDone: (done, now) => {
      const value = JSON.stringify(done)
      return setting
        ? {
            op: 'update',
            kind,
            id: settingName,
            expectVersion: setting.version,
            set: { value, updatedAt: now },
          }
        : { op: 'insert', kind, row: { _id: settingName, value, createdAt: now, updatedAt: now } }
    },
  }
}

/** Undefined for a tenant that does not exist. */
export async function findUpgradable(
  system: SystemStore,
  tenantId: TenantId,
): Promise<Upgradable | undefined> {
  if (tenantId === serverId) return findServer(system)
  const tenant = await system.findTenant(tenantId)
  return tenant && upgradableTenant(tenant)
}

const tenantsPerPage = 200

/** Every tenant, and the server at last. */
export async function* eachUpgradable(system: SystemStore): AsyncGenerator<Upgradable> {
  for (let after = ''; ; ) {
    const page = await system.listTenants({ after, limit: tenantsPerPage })
    yield* page.map(upgradableTenant)
    const last = page.at(-1)
    if (last === undefined) break
    after = last._id
  }
  yield await findServer(system)
}
