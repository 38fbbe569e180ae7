import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { CreateConversation } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { type Client, openClient } from '../../profile/open-client.ts'
import { assertReadable, attachOption, uploadForMessage } from '../attachments/upload-files.ts'
import { addToList } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { conversationColumns } from './conversation-columns.ts'
import { channelOption, priorityOption } from './conversation-values.ts'
import { findAssignee } from './find-assignee.ts'

interface CreateOptions {
  readonly subject?: string | undefined
  readonly inbox?: string | undefined
  readonly customer?: string | undefined
  readonly channel?: CreateConversation['channel']
  readonly priority?: CreateConversation['priority']
  readonly labels?: readonly string[] | undefined
  readonly assignTo?: string | undefined
  readonly message?: string | undefined
  readonly inbound?: true | undefined
  readonly attach?: readonly string[] | undefined
}

export function defineCreateConversation(conversations: CommandUnknownOpts): void {
  conversations
    .command('create')
    .summary('Open a conversation')
    .description('Open a conversation, in the default inbox unless another one is named.')
    .option('--subject <text>', 'what it is about')
    .option('--customer <id>', 'the customer it is with')
    .option('--inbox <id>', 'default: the default inbox')
    .addOption(channelOption("default: the inbox's channel"))
    .addOption(priorityOption('default: medium'))
    .option('--labels <list>', 'comma separated', addToList)
    .option('--assign-to <user>', 'an id, an e-mail or me')
    .option('--message <text>', 'its first message, a reply to the customer')
    .option('--inbound', 'the first message comes from the customer')
    .addOption(attachOption())
    .addHelpText(
      'after',
      examples(
        'crm conversations create --subject "Where is my order?" --customer cus_01J8ZQ4W7N --message "Hello?" --inbound',
        'id=$(crm conversations create --subject "Call back" --assign-to me --quiet)',
      ),
    )
    .action((options, self) => runAction(self, (context) => createConversation(context, options)))
}

async function createConversation(context: Context, options: CreateOptions): Promise<void> {
  const { prompter, output } = context
  if (options.inbound && options.message === undefined) throw usageError('--inbound needs --message.')
  if (options.attach && options.message === undefined) throw usageError('--attach needs --message.')
  await assertReadable(options.attach ?? [])
  prompter.requireValues({ '--subject': options.subject })
  const client = await openClient(context)
  const subject = options.subject ?? (await prompter.text('What is it about?'))
  const { channel, priority, labels, customer: customerId, message, inbound, assignTo } = options
  const body: CreateConversation = {
    subject,
    inboxId: options.inbox ?? (await defaultInbox(client)),
    customerId,
    channel,
    priority,
    labels,
    assignedTo: assignTo === undefined ? undefined : await findAssignee(client, assignTo),
    message:
      message === undefined
        ? undefined
        : {
            content: message,
            direction: inbound ? 'inbound' : 'outbound',
            attachments: await uploadForMessage(client, options.attach),
          },
  }
  const conversation = await client.call((crm) => crm.conversations.create(body))
  output.say('Opened the conversation.')
  printRecord(output, { row: conversation, columns: conversationColumns, quiet: conversation._id })
}

async function defaultInbox(client: Client): Promise<string> {
  const inbox = await client.call(async (crm) => {
    for await (const one of crm.inboxes.list()) if (one.isDefault) return one
    return undefined
  })
  if (inbox) return inbox._id
  throw usageError('There is no default inbox: name one with --inbox.', '"crm inboxes list" shows them.')
}
