import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand, type CommandWords } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'
import { printConversation } from './print-conversation.ts'

type Operation = 'addLabels' | 'removeLabels'

interface LabelCommand extends CommandWords {
  readonly name: string
  readonly operation: Operation
}

export function defineLabelConversation(conversations: CommandUnknownOpts): void {
  addLabelCommand(conversations, {
    name: 'label',
    operation: 'addLabels',
    description: 'Add labels to a conversation.',
    examples: ['crm conversations label con_01J8ZQ4W7N refund vip'],
  })
}

export function defineUnlabelConversation(conversations: CommandUnknownOpts): void {
  addLabelCommand(conversations, {
    name: 'unlabel',
    operation: 'removeLabels',
    description: 'Remove labels from a conversation.',
    examples: ['crm conversations unlabel con_01J8ZQ4W7N refund'],
  })
}

function addLabelCommand(conversations: CommandUnknownOpts, spec: LabelCommand): void {
  const { operation } = spec
  addCommand(conversations, spec)
    .argument('<id>', 'the id of the conversation')
    .argument('<labels...>', 'one or more labels')
    .action((id, labels, _, self) =>
      runAction(self, (context) => changeLabels(context, { id, labels, operation })),
    )
}

interface LabelRequest {
  readonly id: string
  readonly labels: readonly string[]
  readonly operation: Operation
}

async function changeLabels(context: Context, { id, labels, operation }: LabelRequest): Promise<void> {
  const client = await openClient(context)
  const row = await client.call((crm) => crm.conversations[operation](id, { labels }))
  context.output.say('Changed the labels.')
  await printConversation(context, client, row)
}
