import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Tenant } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'

const columns: readonly Column<Tenant>[] = [
  { title: 'Id', value: (tenant) => tenant._id },
  { title: 'Name', value: (tenant) => tenant.name },
  { title: 'Suspended', value: (tenant) => tenant.isSuspended },
  { title: 'Created', value: (tenant) => tenant.createdAt, isTime: true },
]

export function defineGetTenant(tenant: CommandUnknownOpts): void {
  tenant
    .command('get')
    .description('Show your tenant.')
    .addHelpText('after', examples('crm tenant get', 'crm tenant get --json _id,name'))
    .action((_, self) => runAction(self, getTenant))
}

async function getTenant(context: Context): Promise<void> {
  const client = await openClient(context, 'session')
  const tenant = await client.call((crm) => crm.tenant.get())
  printRecord(context.output, { row: tenant, columns, quiet: tenant._id })
}
