import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { AuditEntry } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { openClient } from '../../profile/open-client.ts'
import type { PagingOptions } from '../collect-rows.ts'
import { allOption, cursorOption, limitOption } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'

const columns: readonly Column<AuditEntry>[] = [
  { title: 'When', value: (entry) => entry.at, isTime: true },
  { title: 'Who', value: ({ actor }) => actor._id ?? actor.type, isFlexible: true },
  { title: 'Action', value: (entry) => entry.action },
  { title: 'Target', value: ({ target }) => target._id, isFlexible: true },
  { title: 'Changed', value: (entry) => entry.changed, isFlexible: true, isOptional: true },
  { title: 'Reason', value: (entry) => entry.reason, isFlexible: true, isOptional: true },
  { title: 'Request', value: (entry) => entry.requestId, isFlexible: true, isOptional: true },
  { title: 'Id', value: (entry) => entry._id, isOptional: true },
]

export function defineListAuditLog(tenant: CommandUnknownOpts): void {
  tenant
    .command('audit-log')
    .summary('List who changed what')
    .description('List who changed what, newest first: ids and names of fields, no values.')
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(cursorOption())
    .addHelpText(
      'after',
      examples('crm tenant audit-log', 'crm tenant audit-log --all --json at,actor._id,action,target._id'),
    )
    .action((options, self) => runAction(self, (context) => listAuditLog(context, options)))
}

async function listAuditLog(context: Context, paging: PagingOptions): Promise<void> {
  const client = await openClient(context, 'session')
  await showList(context, {
    paging,
    columns,
    noun: 'audit entry',
    fetchPage: (query) => client.call((crm) => crm.tenant.auditLog(query)),
  })
}
