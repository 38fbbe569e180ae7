import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { StartImport } from '@crmkit/sdk'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { addToList, listing } from '../option-values.ts'
import { runAction } from '../run-action.ts'
import { askChoices, isDay } from './ask-choices.ts'
import { type Part, partNames, parts } from './parts.ts'
import { watchRun } from './watch-run.ts'

interface StartOptions {
  readonly only?: readonly Part[]
  readonly preserveIds?: boolean
  readonly from?: string
  readonly to?: string
  readonly inbox?: Readonly<Record<string, string>>
  readonly dryRun?: true
  readonly watch?: true
}

export const startImport: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'start',
    description: 'Start an import. It goes on when this command ends; --watch shows its progress.',
    notes: 'The chosen parts are stored for the next import, except by a dry run.',
    examples: [
      'crm imports start int_01J8ZQ4W9P --only contacts --watch',
      'crm imports start int_01J8ZQ4W9P --only contacts --from 2024-01-01 --dry-run --watch',
    ],
    options: (command) =>
      command
        .addOption(
          listing(
            new Option('--only <parts>', `only these parts: ${partNames.join(', ')}`).argParser(addPart),
            partNames,
          ),
        )
        .option('--preserve-ids', 'give new records the ids of the source where they are free')
        .addOption(new Option('--no-preserve-ids', 'give new records ids of their own'))
        .option('--from <day>', 'only records changed on or after this day, UTC', day)
        .option('--to <day>', 'only records changed on or before this day, UTC', day)
        .addOption(
          new Option(
            '--inbox <theirs=ours>',
            'of a package: the inbox here of one there; repeatable',
          ).argParser(addInbox),
        )
        .option('--dry-run', 'report the effect of the import, and write nothing')
        .option('--watch', 'show the progress until the end'),
  })
    .argument('<integration>', 'the id of the integration')
    .action((id, given, self) =>
      runAction(self, async (context) => {
        const client = await openClient(context)
        const options = await askChoices(context, given)
        const started = await client.call((crm) => crm.imports.start(id, bodyOf(options)))
        if (options.watch) return watchRun(context, client, id)
        context.output.say('Started the import. "crm imports watch" shows its progress.')
        printRecord(context.output, {
          row: started,
          columns: [
            { title: 'Run', value: (row) => row.runId },
            { title: 'Status', value: (row) => row.status },
          ],
          quiet: started.runId,
        })
      }),
    )
}

function bodyOf({ only, preserveIds, from, to, inbox, dryRun }: StartOptions): StartImport {
  const chosen = only && partNames.map((part) => [parts[part], only.includes(part)] as const)
  const hasRange = from !== undefined || to !== undefined
  return {
    ...Object.fromEntries(chosen ?? []),
    preserveIds,
    dateRange: hasRange ? { startDate: from, endDate: to } : undefined,
    ...(inbox && { inboxes: inbox }),
    dryRun,
  }
}

function addPart(text: string, previous: Part[] | undefined): Part[] {
  const names = addToList(text, previous)
  const known = names.filter((name): name is Part => Object.hasOwn(parts, name))
  if (known.length === names.length) return known
  throw new InvalidArgumentError(`Allowed values: ${partNames.join(', ')}.`)
}

function addInbox(text: string, previous: Record<string, string> | undefined): Record<string, string> {
  const at = text.lastIndexOf('=')
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError('Expected THEIRS=OURS, two ids of inboxes.')
  return { ...previous, [text.slice(0, at)]: text.slice(at + 1) }
}

function day(text: string): string {
  if (isDay(text)) return text
  throw new InvalidArgumentError('Expected a day such as 2027-01-31.')
}
