import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineListAuditLog } from './audit-log.ts'
import { defineGetTenant } from './get.ts'

export function defineTenant(tenant: CommandUnknownOpts): void {
  tenant.addHelpText('after', examples('crm tenant audit-log'))
  defineGetTenant(tenant)
  defineListAuditLog(tenant)
}
