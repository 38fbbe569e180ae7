import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { CreateMessage } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertReadable, attachOption, uploadForMessage } from '../attachments/upload-files.ts'
import { wholeNumber } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { addChoice } from './message-choices.ts'
import { messageColumns } from './message-columns.ts'
import { addContentOptions, type ContentOptions, type FileOptions, readContent } from './message-content.ts'

interface MessageRequest extends ContentOptions, FileOptions {
  readonly id: string
  readonly type: 'reply' | 'note'
  readonly direction?: CreateMessage['direction']
  readonly choice?: CreateMessage['choices']
  readonly clientMessageId?: string | undefined
  readonly ifSeq?: number | undefined
  readonly force?: true | undefined
}

export function defineReply(conversations: CommandUnknownOpts): void {
  const reply = conversations
    .command('reply')
    .argument('<id>', 'the id of the conversation')
    .summary('Write to the customer')
    .description(
      'Write to the customer. With --direction inbound, the message comes from the customer, such as a forwarded e-mail.',
    )
  addContentOptions(reply)
  reply
    .addOption(new Option('--direction <direction>', 'default: outbound').choices(['inbound', 'outbound']))
    .addOption(attachOption())
    .addOption(
      new Option(
        '--choice <id=label>',
        'offer a reply as a button of the chat widget; may be repeated',
      ).argParser(addChoice),
    )
    .option(
      '--client-message-id <id>',
      'your own id: a second call with the same id creates no second message',
    )
    .addOption(
      new Option(
        '--if-seq <number>',
        'the "seq" that you saw: send nothing when a colleague has written since',
      ).argParser(wholeNumber),
    )
    .option('--force', 'send in any case, also a reply that another product would give until a hand-over')
    .addHelpText(
      'after',
      examples(
        'crm conversations reply con_01J8ZQ4W7N --content "It is on its way."',
        'crm conversations reply con_01J8ZQ4W7N --content "As in this picture." --attach photo.png',
        'crm conversations reply con_01J8ZQ4W7N --attach photo.png',
        'crm conversations reply con_01J8ZQ4W7N --content "Did it arrive?" --choice yes=Yes --choice no="No"',
        'crm conversations reply con_01J8ZQ4W7N --content-file - < reply.md',
        'crm conversations reply con_01J8ZQ4W7N --content "It is on its way." --if-seq 12 --force',
      ),
    )
    .action((id: string, options: Omit<MessageRequest, 'id' | 'type'>, self) =>
      runAction(self, (context) => createMessage(context, { ...options, id, type: 'reply' })),
    )
}

export function defineNote(conversations: CommandUnknownOpts): void {
  const note = conversations
    .command('note')
    .argument('<id>', 'the id of the conversation')
    .summary('Write a note that only your team sees')
    .description('Write a note that only your team sees.')
  addContentOptions(note)
  note
    .addOption(attachOption())
    .addHelpText('after', examples('crm conversations note con_01J8ZQ4W7N --content "Called twice."'))
    .action((id: string, options: ContentOptions & FileOptions, self) =>
      runAction(self, (context) => createMessage(context, { ...options, id, type: 'note' })),
    )
}

async function createMessage(context: Context, request: MessageRequest): Promise<void> {
  const { id, type, direction, contentType, choice, clientMessageId, attach = [], ifSeq, force } = request
  await assertReadable(attach)
  const content = await readContent(context, request)
  const client = await openClient(context)
  const attachments = await uploadForMessage(client, attach)
  const row = await client.call((crm) =>
    crm.messages.create(
      id,
      { content, type, direction, contentType, choices: choice, attachments, clientMessageId },
      { ifSeq, force },
    ),
  )
  context.output.say(type === 'note' ? 'Wrote the note.' : 'Wrote the message.')
  printRecord(context.output, { row, columns: messageColumns, quiet: row._id })
}
