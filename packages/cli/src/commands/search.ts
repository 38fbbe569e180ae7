import { type Command, Option } from '@commander-js/extra-typings'
import type { SearchResults } from '@crmkit/sdk'
import type { Context } from '../context.ts'
import type { Column } from '../output/column.ts'
import { printJson } from '../output/print-json.ts'
import { printAll } from '../output/print-list.ts'
import { openClient } from '../profile/open-client.ts'
import { addToList, wholeNumber } from './option-values.ts'
import { examples, runAction } from './run-action.ts'

interface Row {
  readonly kind: 'customer' | 'conversation' | 'message'
  readonly text: string
  readonly about: string | null
  readonly at: string
  readonly id: string
}

const columns: readonly Column<Row>[] = [
  { title: 'Kind', value: ({ kind }) => kind },
  { title: 'Text', value: ({ text }) => text, isFlexible: true, isMain: true },
  { title: 'About', value: ({ about }) => about, isFlexible: true, isOptional: true },
  { title: 'Time', value: ({ at }) => at, isTime: true },
  { title: 'Id', value: ({ id }) => id },
]

type Group = 'customers' | 'conversations' | 'messages'

interface SearchOptions {
  readonly types?: readonly string[] | undefined
  readonly limit?: number | undefined
}

/** `crm search WORDS`: customers, conversations and messages at once. */
export function defineSearch(command: Command): void {
  command
    .description(
      'Find customers, conversations of every status, and messages. Operators narrow the search: from: in: is: label: assigned: has:file before: after:. The id of a message is that of its conversation.',
    )
    .argument('<words...>', 'words and operators')
    .option('--types <list>', 'only these: customers, conversations, messages', addToList)
    .addOption(new Option('--limit <n>', 'rows of each kind, at most 20; default: 5').argParser(wholeNumber))
    .addHelpText(
      'after',
      examples('crm search broken lamp', 'crm search from:grace is:open --types conversations --json'),
    )
    .action((words, options, self) => runAction(self, (context) => search(context, words, options)))
}

async function search(
  { output, ...context }: Context,
  words: readonly string[],
  { types, limit }: SearchOptions,
): Promise<void> {
  const client = await openClient({ output, ...context })
  // A word with blanks came in quotes, which the shell has taken away.
  const q = words.map(quoted).join(' ')
  const found = await client.call((crm) =>
    crm.search.find({ q, types: types as readonly Group[] | undefined, limit }),
  )
  if (output.json) {
    printJson(output, found)
    return
  }
  await printAll(output, { rows: rowsOf(found), columns, quiet: ({ id }) => id })
  if (Object.values(found.isPartial).some(Boolean))
    output.say('There may be more: a further word narrows the search.')
}

/** `label:Big deal` is written `label:"Big deal"`. */
function quoted(word: string): string {
  const colon = word.indexOf(':')
  if (colon < 1 || word.includes('"') || !/\s/.test(word)) return word
  return `${word.slice(0, colon + 1)}"${word.slice(colon + 1).trim()}"`
}

function nameOf({
  firstName,
  lastName,
}: {
  firstName: string | null
  lastName: string | null
}): string | null {
  return [firstName, lastName].filter(Boolean).join(' ') || null
}

function rowsOf({ customers, conversations, messages }: SearchResults): Row[] {
  return [
    ...(customers ?? []).map(({ customer: { _id: id, profile, createdAt: at } }): Row => {
      const { email, phone, company } = profile
      const about = [email, phone, company].filter(Boolean).join(', ') || null
      return { kind: 'customer', text: nameOf(profile) ?? about ?? id, about, at, id }
    }),
    ...(conversations ?? []).map(
      ({ conversation: { _id: id, subject, status, lastMessageAt, createdAt } }): Row => ({
        kind: 'conversation',
        text: subject,
        about: status,
        at: lastMessageAt ?? createdAt,
        id,
      }),
    ),
    ...(messages ?? []).map(
      ({ conversationId: id, snippet, subject, customer, at }): Row => ({
        kind: 'message',
        text: snippet,
        about: [customer && nameOf(customer.profile), subject].filter(Boolean).join(': '),
        at,
        id,
      }),
    ),
  ]
}
