import type { EmailTest, Inbox, InboxDns } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { milliseconds } from '../../output/format-time.ts'
import type { Output } from '../../output/output.ts'
import { printJson } from '../../output/print-json.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'

/** `crm inboxes email test ID`: each step of the connection as a line with its time. */
export const testEmail: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'test',
    summary: 'Test the mail servers of an inbox step by step',
    description:
      'Test the mailbox and the transport of an inbox step by step, and send a mail where --to names an address. The exit code is 1 when a step failed.',
    examples: [
      'crm inboxes email test inb_01J8ZQ4W7N',
      'crm inboxes email test inb_01J8ZQ4W7N --to ada@acme.test',
    ],
    options: (command) => command.option('--to <address>', 'send a test mail to this address'),
  })
    .argument('<id>', 'the id of the inbox')
    .action((id, { to }, self) =>
      runAction(self, async (context) => {
        const { call } = await openClient(context, 'session')
        showTest(context, await call((crm) => crm.inboxes.testEmail(id, { to })))
      }),
    )
}

function showTest({ output }: Context, tested: EmailTest): void {
  if (output.json) printJson(output, tested)
  else if (output.isQuiet) output.print(tested.ok ? 'ok' : 'failed')
  else for (const step of tested.steps) output.print(stepLine(output, step))
  // Not an error of this command, so the steps are printed as usual.
  if (!tested.ok) process.exitCode = exitCodes.failure
}

function stepLine(output: Output, { server, step, ok, ms, error }: EmailTest['steps'][number]): string {
  const line = `${ok ? '✓' : '✗'} ${server} ${step.replace('_', ' ')} (${milliseconds(ms)})`
  return output.style(ok ? 'green' : 'red', error === null ? line : `${line}: ${cleanLine(error)}`)
}

/** `crm inboxes email dns ID`: the records to publish. */
export const showDns: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'dns',
    summary: 'Show the DNS records of an inbox, and what is published',
    description:
      'Show the DNS records that the mail of an inbox needs, and what is published. A record that is right begins with a tick.',
    examples: ['crm inboxes email dns inb_01J8ZQ4W7N', 'crm inboxes email dns inb_01J8ZQ4W7N --json'],
  })
    .argument('<id>', 'the id of the inbox')
    .action((id, _, self) =>
      runAction(self, async (context) => {
        const { call } = await openClient(context, 'session')
        showRecords(context, await call((crm) => crm.inboxes.dns(id)))
      }),
    )
}

function showRecords({ output }: Context, dns: InboxDns): void {
  if (output.json) printJson(output, dns)
  else if (output.isQuiet) output.print(dns.ok ? 'ok' : 'missing')
  else for (const record of dns.records) output.print(recordLines(output, record))
}

function recordLines(
  output: Output,
  { name, type, value, published, ok }: InboxDns['records'][number],
): string {
  const line = cleanLine(`${ok ? '✓' : '✗'} ${name} ${type} "${value}"`)
  if (ok) return output.style('green', line)
  const found = published?.map((text) => `"${text}"`).join(', ')
  const state = found === undefined ? 'the name servers did not respond' : found || 'nothing'
  return `${output.style('red', line)}\n${cleanLine(`  published: ${state}`)}`
}

const columns: readonly Column<Inbox>[] = [
  { title: 'Id', value: (inbox) => inbox._id },
  { title: 'Address', value: ({ email }) => email.address },
  { title: 'Domain proven', value: ({ email }) => email.domainProvenAt, isTime: true },
  { title: 'DKIM selector', value: ({ email }) => email.dkim?.selector ?? null },
]

/** `crm inboxes email verify ID`: whether the DNS proves the domain. */
export const verifyDomain: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'verify',
    summary: 'Check whether the DNS proves the domain of an inbox',
    description:
      'Check whether the DNS proves the domain of an inbox. The relay then sends from the address of the inbox instead of its own.',
    examples: ['crm inboxes email verify inb_01J8ZQ4W7N'],
  })
    .argument('<id>', 'the id of the inbox')
    .action((id, _, self) =>
      runAction(self, async (context) => {
        const { call } = await openClient(context, 'session')
        const row = await call((crm) => crm.inboxes.verifyDomain(id))
        const isProven = row.email.domainProvenAt !== null
        context.output.say(isProven ? 'The domain is proven.' : 'The domain is not proven.')
        printRecord(context.output, { row, columns, quiet: isProven ? 'proven' : 'not proven' })
      }),
    )
}

/** `crm inboxes email dkim ID`: makes the key that signs, or deletes it. */
export const setDkimKey: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'dkim',
    summary: 'Make or delete the key that signs the mail of an inbox',
    description:
      'Make the key that signs the mail of an inbox, or delete it. Publish its record: "crm inboxes email dns".',
    examples: [
      'crm inboxes email dkim inb_01J8ZQ4W7N',
      'crm inboxes email dkim inb_01J8ZQ4W7N --selector mail',
      'crm inboxes email dkim inb_01J8ZQ4W7N --delete',
    ],
    options: (command) =>
      command
        .option('--selector <name>', 'name of the key in the DNS')
        .option('--delete', 'delete the key: mail is not signed from then on'),
  })
    .argument('<id>', 'the id of the inbox')
    .action((id, given, self) =>
      runAction(self, async (context) => {
        const { selector } = given
        const isDeleted = given.delete === true
        const { call } = await openClient(context, 'session')
        const row = await call((crm) =>
          isDeleted ? crm.inboxes.deleteDkimKey(id) : crm.inboxes.makeDkimKey(id, { selector }),
        )
        context.output.say(isDeleted ? 'Deleted the key.' : 'Made the key.')
        printRecord(context.output, { row, columns, quiet: row.email.dkim?.selector ?? 'none' })
      }),
    )
}
