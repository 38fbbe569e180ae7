import { Failure, validationFailure } from '@crmkit/core'
import type { Identity } from '../../storage/kinds/identities.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import type { SystemContext } from '../system-handler.ts'

export interface Membership {
  tenantId: TenantId
  user: Stored<UserRecord>
  identity: Stored<Identity>
}

/** Returns the active memberships of these identities. */
export async function activeMemberships(
  { system }: Pick<SystemContext, 'system'>,
  identities: readonly Stored<Identity>[],
): Promise<Membership[]> {
  const found = await Promise.all(
    identities.map(async (identity) =>
      (await system.across.memberships.of(identity._id)).map(({ tenantId, row }) => ({
        tenantId,
        user: row,
        identity,
      })),
    ),
  )
  return found.flat().filter(({ user }) => user.isActive)
}

/** Returns a failure that names the tenants, which the caller may see because the password was right. */
export async function severalTenants(
  { system }: Pick<SystemContext, 'system'>,
  memberships: readonly Membership[],
): Promise<Failure> {
  const found = await Promise.all(memberships.map(({ tenantId }) => system.findTenant(tenantId)))
  const tenants = found.flatMap((tenant) => (tenant ? [{ _id: tenant._id, name: tenant.name }] : []))
  const message = 'is required: this e-mail belongs to several tenants'
  const { message: error, details } = validationFailure([
    { field: 'tenantId', message, rule: 'required', in: 'body' },
  ])
  return new Failure('VALIDATION_ERROR', error, { details, extra: { tenants } })
}
