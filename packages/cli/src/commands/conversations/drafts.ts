import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Draft, MessageReply, OwnDraft, SaveDraft } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { printJson } from '../../output/print-json.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertReadable, attachOption, uploadForMessage } from '../attachments/upload-files.ts'
import { addToList, futureMoment, wholeNumber } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { messageColumns } from './message-columns.ts'
import { addContentOptions, type ContentOptions, readContent } from './message-content.ts'

export const draftColumns: readonly Column<Draft>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Author', value: ({ author }) => author.name || author._id, isFlexible: true },
  { title: 'Type', value: (row) => row.type },
  { title: 'Version', value: (row) => row.version },
  { title: 'Sent at', value: (row) => row.sendAt, isTime: true },
  { title: 'Not sent', value: (row) => row.sendError },
  { title: 'Content', value: (row) => row.content, isFlexible: true },
]

export const ownDraftColumns: readonly Column<OwnDraft>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Conversation', value: (row) => row.conversationId },
  { title: 'Subject', value: ({ conversation }) => conversation.subject, isFlexible: true },
  { title: 'Sent at', value: (row) => row.sendAt, isTime: true },
  { title: 'Not sent', value: (row) => row.sendError },
  { title: 'Content', value: (row) => row.content, isFlexible: true },
]

type Fields = Pick<SaveDraft, 'type' | 'to' | 'cc' | 'bcc' | 'sendAt' | 'basedOn' | 'expectedVersion'>

interface DraftRequest extends ContentOptions, Fields {
  readonly id: string
  readonly attach?: readonly string[] | undefined
  readonly evenIfReplied?: true | undefined
  readonly delete?: true | undefined
}

const versionOption = (text: string) => new Option('--expected-version <number>', text).argParser(wholeNumber)

export function defineDraft(conversations: CommandUnknownOpts): void {
  const draft = conversations
    .command('draft')
    .argument('<id>', 'the id of the conversation')
    .summary('Show, save or delete your draft in a conversation')
    .description(
      'Show your draft in a conversation. With --content, --content-file or --attach, replace it as a whole. With --delete, delete it.',
    )
  addContentOptions(draft)
  draft
    .addOption(new Option('--type <type>', 'default: reply').choices(['reply', 'note'] as const))
    .addOption(attachOption())
    .option('--to <list>', 'recipients of the e-mail, comma separated', addToList)
    .option('--cc <list>', 'recipients of a copy, comma separated', addToList)
    .option('--bcc <list>', 'hidden recipients of a copy, comma separated', addToList)
    .option(
      '--send-at <time>',
      'let the service send it, at 2027-01-31T09:30:00Z or in a time such as 2h',
      futureMoment,
    )
    .option('--even-if-replied', 'with --send-at: send it although somebody has written since')
    .option('--based-on <draft-id>', 'the draft of somebody else that this one is an edited form of')
    .addOption(versionOption('replace only this version; 0: save it only where there is none'))
    .addOption(new Option('--delete', 'delete your draft').conflicts(['content', 'contentFile', 'attach']))
    .addHelpText(
      'after',
      examples(
        'crm conversations draft con_01J8ZQ4W7N',
        'crm conversations draft con_01J8ZQ4W7N --content "It is on its way." --expected-version 0',
        'crm conversations draft con_01J8ZQ4W7N --content-file - --send-at 2h < reply.md',
        'crm conversations draft con_01J8ZQ4W7N --delete',
      ),
    )
    .action((id: string, options: Omit<DraftRequest, 'id'>, self) =>
      runAction(self, (context) => runDraft(context, { ...options, id })),
    )
}

function runDraft(context: Context, request: DraftRequest): Promise<void> {
  if (request.delete) return discardDraft(context, request.id)
  const isSaved = [request.content, request.contentFile, request.attach].some((given) => given !== undefined)
  return isSaved ? saveDraft(context, request) : showDraft(context, request.id)
}

async function showDraft(context: Context, id: string): Promise<void> {
  const { output } = context
  const client = await openClient(context)
  const row = await client.call((crm) => crm.drafts.get(id))
  if (row !== null) printRecord(output, { row, columns: draftColumns, quiet: row._id })
  else if (output.json) output.print('null')
  else output.say('You have no draft in this conversation.')
}

async function saveDraft(context: Context, request: DraftRequest): Promise<void> {
  const { id, type, contentType, to, cc, bcc, sendAt, basedOn, expectedVersion, attach = [] } = request
  await assertReadable(attach)
  const content = await readContent(context, request)
  const client = await openClient(context)
  const attachments = await uploadForMessage(client, attach)
  const fields = { content, contentType, type, attachments, to, cc, bcc, sendAt, basedOn, expectedVersion }
  const sendUnlessReplied = request.evenIfReplied ? false : undefined
  const row = await client.call((crm) => crm.drafts.save(id, { ...fields, sendUnlessReplied }))
  context.output.say('Saved the draft.')
  printRecord(context.output, { row, columns: draftColumns, quiet: row._id })
}

async function discardDraft(context: Context, id: string): Promise<void> {
  const client = await openClient(context)
  const reply = await client.call((crm) => crm.drafts.discard(id))
  reportDeleted(context, reply, id)
}

function reportDeleted({ output }: Context, { message }: MessageReply, id: string): void {
  output.say(cleanLine(message))
  if (output.json) printJson(output, { _id: id, deleted: true })
  else if (!output.isTerminal || output.isQuiet) output.print(cleanLine(id))
}

interface SendRequest {
  readonly expectedVersion?: number | undefined
  readonly ifSeq?: number | undefined
  readonly force?: true | undefined
}

export function defineSendDraft(conversations: CommandUnknownOpts): void {
  conversations
    .command('send-draft')
    .argument('<id>', 'the id of the conversation')
    .argument('<draft>', 'the id of the draft, as in "crm conversations drafts"')
    .summary('Send a draft of any author in your name')
    .description('Send a draft of any author in your name. Sending it twice sends one message.')
    .addOption(versionOption('the version that you have read: send no other one'))
    .addOption(
      new Option(
        '--if-seq <number>',
        'the "seq" that you saw: send nothing when a colleague has written since',
      ).argParser(wholeNumber),
    )
    .option('--force', 'with --if-seq: send in any case')
    .addHelpText(
      'after',
      examples(
        'crm conversations send-draft con_01J8ZQ4W7N drf_01J8ZQ4W7N',
        'crm conversations send-draft con_01J8ZQ4W7N drf_01J8ZQ4W7N --expected-version 1',
      ),
    )
    .action((id: string, draftId: string, options: SendRequest, self) =>
      runAction(self, (context) => sendDraft(context, { id, draftId, ...options })),
    )
}

async function sendDraft(
  context: Context,
  { id, draftId, expectedVersion, ifSeq, force }: SendRequest & { id: string; draftId: string },
): Promise<void> {
  const client = await openClient(context)
  const row = await client.call((crm) => crm.drafts.send(id, draftId, { expectedVersion }, { ifSeq, force }))
  context.output.say('Sent the draft.')
  printRecord(context.output, { row, columns: messageColumns, quiet: row._id })
}

export function defineDeleteDraft(conversations: CommandUnknownOpts): void {
  conversations
    .command('delete-draft')
    .argument('<id>', 'the id of the conversation')
    .argument('<draft>', 'the id of the draft, as in "crm conversations drafts"')
    .summary('Delete a draft of somebody else')
    .description('Delete a draft: your own, one of an API key, or as an admin any.')
    .addHelpText('after', examples('crm conversations delete-draft con_01J8ZQ4W7N drf_01J8ZQ4W7N'))
    .action((id: string, draftId: string, _: object, self) =>
      runAction(self, (context) => deleteDraft(context, id, draftId)),
    )
}

async function deleteDraft(context: Context, id: string, draftId: string): Promise<void> {
  const client = await openClient(context)
  const reply = await client.call((crm) => crm.drafts.delete(id, draftId))
  reportDeleted(context, reply, draftId)
}
