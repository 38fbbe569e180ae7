import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { conversationColumns } from './conversation-columns.ts'

interface LabelRequest {
  readonly id: string
  readonly labels: readonly string[]
  readonly operation: 'addLabels' | 'removeLabels'
}

export function defineLabelConversation(conversations: CommandUnknownOpts): void {
  conversations
    .command('label')
    .argument('<id>', 'the id of the conversation')
    .argument('<labels...>', 'one or more labels')
    .description('Add labels to a conversation.')
    .addHelpText('after', examples('crm conversations label con_01J8ZQ4W7N refund vip'))
    .action((id, labels, _, self) =>
      runAction(self, (context) => changeLabels(context, { id, labels, operation: 'addLabels' })),
    )
}

export function defineUnlabelConversation(conversations: CommandUnknownOpts): void {
  conversations
    .command('unlabel')
    .argument('<id>', 'the id of the conversation')
    .argument('<labels...>', 'one or more labels')
    .description('Remove labels from a conversation.')
    .addHelpText('after', examples('crm conversations unlabel con_01J8ZQ4W7N refund'))
    .action((id, labels, _, self) =>
      runAction(self, (context) => changeLabels(context, { id, labels, operation: 'removeLabels' })),
    )
}

async function changeLabels(context: Context, { id, labels, operation }: LabelRequest): Promise<void> {
  const client = await openClient(context)
  const row = await client.call((crm) => crm.conversations[operation](id, { labels }))
  context.output.say('Changed the labels.')
  printRecord(context.output, { row, columns: conversationColumns, quiet: row._id })
}
