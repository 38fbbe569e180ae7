import { type updateTenant, validationFailure } from '@crmkit/core'
import { isPhoneCountry } from '../../shared/phone-numbers.ts'
import type { SystemHandler } from '../system-handler.ts'
import { findOwnTenant, shownTenant } from './own-tenant.ts'

export const handleUpdateTenant: SystemHandler<typeof updateTenant> = async (ctx, { body: { country } }) => {
  if (typeof country === 'string' && !isPhoneCountry(country)) throw unknownCountry()
  const before = await findOwnTenant(ctx)
  const { _id: id, tenantId, version: expectVersion } = before
  if (country === undefined || country === (before.country ?? null))
    return { reply: { success: true, data: await shownTenant(ctx, before) } }
  const set = { country, updatedAt: ctx.now }
  return {
    tenantId,
    change: { writes: [{ op: 'update', kind: 'tenants', id, expectVersion, set }], events: [] },
    audit: { action: 'tenant.updated', target: { type: 'tenant', _id: id }, changed: ['country'] },
    reply: { success: true, data: await shownTenant(ctx, { ...before, ...set }) },
  }
}

function unknownCountry() {
  const message = 'must be the code of a country with phone numbers, such as DE'
  return validationFailure([{ field: 'country', message, rule: 'country', in: 'body' }])
}
