import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { Option } from '@commander-js/extra-typings'
import type { CustomerNote, UpdateCustomerNote } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { customerNotes } from '../../operations/customer-notes.gen.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { printJson } from '../../output/print-json.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertChange } from '../assert-change.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { withColumns } from '../factories/add-command.ts'
import { listCommand } from '../factories/list-command.ts'
import { actionCommand } from '../factories/update-command.ts'
import { wholeNumber } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'

const columns: readonly Column<CustomerNote>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Author', value: ({ author }) => author.name || author._id, isFlexible: true },
  { title: 'Version', value: (row) => row.version },
  { title: 'Written', value: (row) => row.createdAt, isTime: true },
  { title: 'Content', value: (row) => row.content, isFlexible: true },
]

const ofNote = 'the id of the note, as in "crm customers notes"'

export const listNotes = withColumns(
  columns,
  listCommand({
    operation: customerNotes.list,
    name: 'notes',
    summary: 'List the notes about a customer',
    examples: ['crm customers notes cus_01J8ZQ4W7N'],
    argument: ['<id>', 'the id of the customer'],
    rowName: 'note',
  }),
)

export const addNote = withColumns(
  columns,
  actionCommand({
    operation: customerNotes.create,
    name: 'add-note',
    summary: 'Write a note about a customer',
    description: 'Write a note about a customer, for your team alone.',
    examples: ['crm customers add-note cus_01J8ZQ4W7N --content "Prefers to be called in the morning."'],
    id: 'the id of the customer',
    done: 'Stored the note.',
  }),
)

export function defineShowNote(customers: CommandUnknownOpts): void {
  customers
    .command('show-note')
    .argument('<id>', 'the id of the customer')
    .argument('<note>', ofNote)
    .summary('Show a note about a customer')
    .description('Show a note about a customer.')
    .addHelpText('after', examples('crm customers show-note cus_01J8ZQ4W7N cno_01J8ZQ4W7N'))
    .action((id: string, noteId: string, _: object, self) =>
      runAction(self, async (context) => {
        const client = await openClient(context)
        printNote(context, await client.call((crm) => crm.customerNotes.get(id, noteId)))
      }),
    )
}

export function defineUpdateNote(customers: CommandUnknownOpts): void {
  customers
    .command('update-note')
    .argument('<id>', 'the id of the customer')
    .argument('<note>', ofNote)
    .summary('Change a note about a customer')
    .description('Change a note about a customer: your own, or as an admin any.')
    .option('--content <text>', 'the new text')
    .addOption(
      new Option('--content-type <type>', 'markup of the text').choices(['text', 'markdown'] as const),
    )
    .addOption(
      new Option(
        '--expected-version <number>',
        'the version that you have read: change no other one',
      ).argParser(wholeNumber),
    )
    .addHelpText(
      'after',
      examples(
        'crm customers update-note cus_01J8ZQ4W7N cno_01J8ZQ4W7N --content "Prefers to be called after ten."',
      ),
    )
    .action((id: string, noteId: string, input: UpdateCustomerNote, self) =>
      runAction(self, async (context) => {
        const { expectedVersion: _version, ...changes } = input
        assertChange(changes)
        const client = await openClient(context)
        const row = await client.call((crm) => crm.customerNotes.update(id, noteId, input))
        context.output.say('Changed the note.')
        printNote(context, row)
      }),
    )
}

export function defineDeleteNote(customers: CommandUnknownOpts): void {
  customers
    .command('delete-note')
    .argument('<id>', 'the id of the customer')
    .argument('<note>', ofNote)
    .summary('Delete a note about a customer')
    .description('Delete a note about a customer: your own, or as an admin any.')
    .addOption(yesOption())
    .addHelpText('after', examples('crm customers delete-note cus_01J8ZQ4W7N cno_01J8ZQ4W7N --yes'))
    .action((id: string, noteId: string, { yes }: { yes?: true }, self) =>
      runAction(self, async (context) => {
        const shown = cleanLine(noteId)
        await assertConfirmed(context, {
          question: `Delete the note ${shown}?`,
          refusal: 'Nothing was deleted.',
          yes,
        })
        const client = await openClient(context)
        const { message } = await client.call((crm) => crm.customerNotes.delete(id, noteId))
        const { output } = context
        output.say(cleanLine(message))
        if (output.json) printJson(output, { _id: noteId, deleted: true })
        else if (!output.isTerminal || output.isQuiet) output.print(shown)
      }),
    )
}

function printNote({ output }: Context, row: CustomerNote): void {
  printRecord(output, { row, columns, quiet: row._id })
}
