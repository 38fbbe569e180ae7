import { Failure, type RetentionSettings, type updateTenant, validationFailure } from '@crmkit/core'
import { isPhoneCountry } from '../../shared/phone-numbers.ts'
import type { TenantRecord } from '../../storage/kinds/tenants.ts'
import { keepsAll } from '../../storage/rules/retention.ts'
import { type SystemHandler, signedInOf } from '../system-handler.ts'
import { findOwnTenant, shownTenant } from './own-tenant.ts'

export const handleUpdateTenant: SystemHandler<typeof updateTenant> = async (
  ctx,
  { body: { name, country, retention } },
) => {
  if (typeof country === 'string' && !isPhoneCountry(country)) throw unknownCountry()
  const { role } = signedInOf(ctx).actor.user
  if (retention !== undefined && role !== 'owner') throw onlyOwners(role)
  const before = await findOwnTenant(ctx)
  const { _id: id, tenantId, version: expectVersion } = before
  const isMoved = country !== undefined && country !== (before.country ?? null)
  const isRenamed = name !== undefined && name !== before.name
  const kept = retentionAfter(before, retention)
  const changed = [...(isRenamed ? ['name'] : []), ...(isMoved ? ['country'] : []), ...kept.changed]
  if (changed.length === 0) return { reply: { success: true, data: await shownTenant(ctx, before) } }
  const set = {
    ...(isRenamed && { name }),
    ...(isMoved && { country }),
    ...(kept.changed.length > 0 && { retention: kept.retention }),
    updatedAt: ctx.now,
  }
  return {
    tenantId,
    change: { writes: [{ op: 'update', kind: 'tenants', id, expectVersion, set }], events: [] },
    audit: { action: 'tenant.updated', target: { type: 'tenant', _id: id }, changed },
    reply: { success: true, data: await shownTenant(ctx, { ...before, ...set }) },
  }
}

/** Returns the retention with the given fields, and the names of those that differ. */
function retentionAfter(
  { retention: before = keepsAll }: TenantRecord,
  given: { readonly [Name in keyof RetentionSettings]?: RetentionSettings[Name] | undefined } = {},
): { retention: RetentionSettings; changed: string[] } {
  const { closedConversationMonths, attachmentMonths } = given
  const retention = {
    closedConversationMonths:
      closedConversationMonths === undefined ? before.closedConversationMonths : closedConversationMonths,
    attachmentMonths: attachmentMonths === undefined ? before.attachmentMonths : attachmentMonths,
  }
  const names = ['closedConversationMonths', 'attachmentMonths'] as const
  const changed = names.filter((name) => retention[name] !== before[name]).map((name) => `retention.${name}`)
  return { retention, changed }
}

function onlyOwners(granted: string) {
  return new Failure('PERMISSION_DENIED', 'Only an owner decides how long the tenant keeps its data', {
    extra: { required: 'owner', granted },
  })
}

function unknownCountry() {
  const message = 'must be the code of a country with phone numbers, such as DE'
  return validationFailure([{ field: 'country', message, rule: 'country', in: 'body' }])
}
