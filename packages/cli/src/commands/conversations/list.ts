import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { ConversationsListQuery } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import type { PagingOptions } from '../collect-rows.ts'
import { addToList, allOption, cursorOption, isoMoment, limitOption } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import { conversationColumns } from './conversation-columns.ts'
import { channelOption, priorityOption, statuses } from './conversation-values.ts'
import { findAssignee } from './find-assignee.ts'

type Status = (typeof statuses)[number]
const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'priority'] as const

interface Filter
  extends Omit<ConversationsListQuery, 'inboxId' | 'customerId' | 'page' | 'limit' | 'cursor'> {
  readonly inbox?: string | undefined
  readonly customer?: string | undefined
}

export function defineListConversations(conversations: CommandUnknownOpts): void {
  conversations
    .command('list')
    .description('List conversations, the last changed first.')
    .option('--status <list>', `comma separated: ${statuses.join(', ')}`, addStatus)
    .addOption(priorityOption('of this priority'))
    .addOption(channelOption('of this channel'))
    .option('--assigned-to <user>', 'an id, an e-mail, me or none')
    .option('--inbox <id>', 'of this inbox')
    .option('--customer <id>', 'of this customer')
    .option('--label <label>', 'with this label')
    .option('--search <terms>', 'every term occurs in the subject or a message')
    .option('--updated-since <time>', 'changed since, such as 2026-11-01', isoMoment)
    .addOption(new Option('--sort <order>', 'order; with - the other way round').choices(sorts))
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(cursorOption())
    .addHelpText(
      'after',
      examples(
        'crm conversations list --status open,pending --assigned-to none',
        'crm conversations list --search refund --json _id,subject,updatedAt',
      ),
    )
    .action(({ limit, all, cursor, ...filter }, self) =>
      runAction(self, (context) => listConversations(context, filter, { limit, all, cursor })),
    )
}

async function listConversations(
  context: Context,
  { inbox: inboxId, customer: customerId, assignedTo, ...filter }: Filter,
  paging: PagingOptions,
): Promise<void> {
  const client = await openClient(context)
  const assignee = assignedTo === undefined ? undefined : ((await findAssignee(client, assignedTo)) ?? 'none')
  const fields = { ...filter, inboxId, customerId, assignedTo: assignee }
  await showList(context, {
    paging,
    columns: conversationColumns,
    noun: 'conversation',
    fetchPage: (query) => client.call((crm) => crm.conversations.list({ ...fields, ...query })),
  })
}

function addStatus(text: string, previous: Status[] | undefined): Status[] {
  const names = addToList(text, previous)
  const known = names.filter((name): name is Status => statuses.some((status) => status === name))
  if (known.length === names.length) return known
  throw new InvalidArgumentError(`It knows ${statuses.join(', ')}.`)
}
