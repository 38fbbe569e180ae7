import type { EmailTest, Inbox, InboxDns } from '@crmkit/sdk'
import { exitCodes } from '../../exit-codes.ts'
import { inboxes } from '../../operations/inboxes.gen.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { milliseconds } from '../../output/format-time.ts'
import type { Output } from '../../output/output.ts'
import { printJson } from '../../output/print-json.ts'
import { printRecord } from '../../output/print-record.ts'
import { resultCommand } from '../factories/result-command.ts'

/** `crm inboxes email test ID`: each step of the connection as a line with its time. */
export const testEmail = resultCommand({
  operation: inboxes.testEmail,
  name: 'test',
  summary: 'Test the mail servers of an inbox step by step',
  description:
    'Test the mailbox and the transport of an inbox step by step, and send a mail where --to names an address. The exit code is 1 when a step failed.',
  examples: [
    'crm inboxes email test inb_01J8ZQ4W7N',
    'crm inboxes email test inb_01J8ZQ4W7N --to ada@acme.test',
  ],
  fields: { to: { text: 'send a test mail to this address', value: 'address' } },
  print: showTest,
})

function showTest(output: Output, tested: EmailTest): void {
  if (output.json) printJson(output, tested)
  else if (output.isQuiet) output.print(tested.ok ? 'ok' : 'failed')
  else {
    for (const step of tested.steps) output.print(stepLine(output, step))
    for (const name of tested.proposals.authservIds) output.print(cleanLine(proposalLine(name)))
  }
  // Not an error of this command, so the steps are printed as usual.
  if (!tested.ok) process.exitCode = exitCodes.failure
}

function proposalLine(name: string): string {
  return `The last mails were checked by ${name}: --authserv-id ${name} of "crm inboxes email set" believes it.`
}

function stepLine(output: Output, { server, step, ok, ms, error }: EmailTest['steps'][number]): string {
  const line = `${ok ? '✓' : '✗'} ${server} ${step.replace('_', ' ')} (${milliseconds(ms)})`
  return output.style(ok ? 'green' : 'red', error === null ? line : `${line}: ${cleanLine(error)}`)
}

/** `crm inboxes email dns ID`: the records to publish. */
export const showDns = resultCommand({
  operation: inboxes.dns,
  summary: 'Show the DNS records of an inbox, and what is published',
  description:
    'Show the DNS records that the mail of an inbox needs, and what is published. A record that is right begins with a tick.',
  examples: ['crm inboxes email dns inb_01J8ZQ4W7N', 'crm inboxes email dns inb_01J8ZQ4W7N --json'],
  print: showRecords,
})

function showRecords(output: Output, dns: InboxDns): void {
  if (output.json) printJson(output, dns)
  else if (output.isQuiet) output.print(dns.ok ? 'ok' : 'missing')
  else for (const record of dns.records) output.print(recordLines(output, record))
}

function recordLines(
  output: Output,
  { name, type, value, published, ok, reason }: InboxDns['records'][number],
): string {
  const line = cleanLine(`${ok === null ? '?' : ok ? '✓' : '✗'} ${name} ${type} "${value}"`)
  if (ok) return output.style('green', line)
  const found = published?.map((text) => `"${text}"`).join(', ')
  const state = found === undefined ? undefined : `published: ${found || 'nothing'}`
  const notes = [state, reason ?? undefined].filter((note) => note !== undefined)
  return [output.style('red', line), ...notes.map((note) => cleanLine(`  ${note}`))].join('\n')
}

const columns: readonly Column<Inbox>[] = [
  { title: 'Id', value: (inbox) => inbox._id },
  { title: 'Address', value: ({ email }) => email.address },
  { title: 'Domain proven', value: ({ email }) => email.domainProvenAt, isTime: true },
  { title: 'DKIM selector', value: ({ email }) => email.dkim?.selector ?? null },
]

/** `crm inboxes email verify ID`: whether the DNS proves the domain. */
export const verifyDomain = resultCommand({
  operation: inboxes.verifyDomain,
  name: 'verify',
  summary: 'Check whether the DNS proves the domain of an inbox',
  description:
    'Check whether the DNS proves the domain of an inbox. The relay then sends from the address of the inbox instead of its own.',
  print: (output, row) => {
    const isProven = row.email.domainProvenAt !== null
    output.say(isProven ? 'The domain is proven.' : 'The domain is not proven.')
    printRecord(output, { row, columns, quiet: isProven ? 'proven' : 'not proven' })
  },
})

/** `crm inboxes email release ID`: mail of a resting inbox leaves again. */
export const releaseMail = resultCommand({
  operation: inboxes.releaseMail,
  name: 'release',
  summary: 'Let the mail of a resting inbox leave again',
  description:
    'Let the mail of an inbox leave again that rests after too many reports. Remove the addresses that do not exist first: it rests again when the reports go on.',
  print: (output, row) => {
    output.say('The mail of the inbox leaves again.')
    printRecord(output, { row, columns, quiet: row.sending.state })
  },
})

/** `crm inboxes email dkim ID`: makes the key that signs, or deletes it. */
export const setDkimKey = resultCommand({
  operation: inboxes.makeDkimKey,
  name: 'dkim',
  summary: 'Make or delete the key that signs the mail of an inbox',
  description:
    'Make the key that signs the mail of an inbox, or delete it. Publish its record: "crm inboxes email dns".',
  examples: [
    'crm inboxes email dkim inb_01J8ZQ4W7N',
    'crm inboxes email dkim inb_01J8ZQ4W7N --selector mail',
    'crm inboxes email dkim inb_01J8ZQ4W7N --delete',
  ],
  fields: { selector: { text: 'name of the key in the DNS', value: 'name' } },
  options: (command) => command.option('--delete', 'delete the key: mail is not signed from then on'),
  send: ({ crm, id, input: { selector, delete: isDeleted } }) =>
    isDeleted ? crm.inboxes.deleteDkimKey(id) : crm.inboxes.makeDkimKey(id, { selector }),
  print: (output, row, { input }) => {
    output.say(input.delete ? 'Deleted the key.' : 'Made the key.')
    printRecord(output, { row, columns, quiet: row.email.dkim?.selector ?? 'none' })
  },
})
