import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings'
import type { CreateConversation, Crm } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { type Client, openClient } from '../../profile/open-client.ts'
import { assertReadable, attachOption, uploadForMessage } from '../attachments/upload-files.ts'
import { addCommand } from '../factories/add-command.ts'
import { addToList } from '../option-values.ts'
import { runAction } from '../run-action.ts'
import { channelOption, priorityOption } from './conversation-values.ts'
import { findAssignee } from './find-assignee.ts'
import { printConversation } from './print-conversation.ts'

const addConversationOptions = (command: Command) =>
  command
    .option('--subject <text>', 'subject')
    .option('--customer <id>', 'the customer of the conversation')
    .option('--inbox <id>', 'default: the default inbox')
    .addOption(channelOption("default: the inbox's channel"))
    .addOption(priorityOption('default: medium'))
    .option('--labels <list>', 'comma separated', addToList)
    .option('--assign-to <user>', 'an id, an e-mail or me')
    .option('--message <text>', 'the first message, a reply to the customer')
    .option('--inbound', 'the first message comes from the customer')
    .addOption(attachOption())

type CreateOptions = ReturnType<ReturnType<typeof addConversationOptions>['opts']>

export function defineCreateConversation(conversations: CommandUnknownOpts): void {
  addCommand(conversations, {
    name: 'create',
    summary: 'Open a conversation',
    description: 'Open a conversation, in the default inbox unless you name another inbox.',
    examples: [
      'crm conversations create --subject "Where is my order?" --customer cus_01J8ZQ4W7N --message "Hello?" --inbound',
      'id=$(crm conversations create --subject "Call back" --assign-to me --quiet)',
    ],
    options: addConversationOptions,
  }).action((options: CreateOptions, self) =>
    runAction(self, (context) => createConversation(context, options)),
  )
}

async function createConversation(context: Context, options: CreateOptions): Promise<void> {
  const { prompter, output } = context
  if (options.inbound && options.message === undefined && options.attach === undefined)
    throw usageError('--inbound needs --message or --attach.')
  await assertReadable(options.attach ?? [])
  prompter.requireValues({ '--subject': options.subject })
  const client = await openClient(context)
  const { credential } = client
  const { channel, priority, labels, customer: customerId, assignTo } = options
  const body: CreateConversation = {
    subject: options.subject ?? (await prompter.text('Subject of the conversation')),
    inboxId: options.inbox ?? (await client.call(defaultInbox)),
    customerId,
    channel,
    priority,
    labels,
    assignedTo:
      assignTo === undefined
        ? undefined
        : await client.call((crm) => findAssignee({ crm, credential }, assignTo)),
    message: await firstMessage(client, options),
  }
  const conversation = await client.call((crm) => crm.conversations.create(body))
  output.say('Opened the conversation.')
  await printConversation(context, client, conversation)
}

async function firstMessage(
  client: Client,
  { message, inbound, attach }: CreateOptions,
): Promise<CreateConversation['message']> {
  if (message === undefined && attach === undefined) return undefined
  const attachments = await uploadForMessage(client, attach)
  return { content: message ?? '', direction: inbound ? 'inbound' : 'outbound', attachments }
}

async function defaultInbox(crm: Crm): Promise<string> {
  for await (const inbox of crm.inboxes.list()) if (inbox.isDefault) return inbox._id
  throw usageError(
    'There is no default inbox: name one with --inbox.',
    '"crm inboxes list" shows all inboxes.',
  )
}
