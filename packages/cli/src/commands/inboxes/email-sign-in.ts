import { Option } from '@commander-js/extra-typings'
import type { Inbox } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { inboxes } from '../../operations/inboxes.gen.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { resultCommand } from '../factories/result-command.ts'
import { runAction } from '../run-action.ts'
import { waitForGrant } from '../wait-for-grant.ts'
import { changedEmail } from './changed-email.ts'

interface SignInOptions {
  readonly provider: 'google' | 'microsoft'
  readonly mailbox?: string | undefined
  readonly use: 'both' | 'read' | 'send'
}

const columns: readonly Column<Inbox>[] = [
  { title: 'Id', value: (inbox) => inbox._id },
  { title: 'Address', value: ({ email }) => email.address },
  { title: 'Provider', value: ({ email }) => email.oauth?.provider ?? null },
  { title: 'User', value: ({ email }) => email.oauth?.user ?? null },
  { title: 'Reads', value: ({ email }) => email.imap?.auth === 'oauth' },
  { title: 'Sends', value: ({ email }) => email.transport === 'smtp' && email.smtp?.auth === 'oauth' },
]

/** `crm inboxes email sign-in ID`: a mailbox at Google or Microsoft, without a password. */
export const signInToMailbox: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'sign-in',
    summary: 'Sign in to the mailbox of an inbox at Google or Microsoft',
    description:
      'Sign in to the mailbox of an inbox at Google or Microsoft: the command prints an address for the browser, waits until access is granted, and lets the inbox read and send by it.',
    notes: 'The server needs the client id of an app at the provider in its settings.',
    examples: ['crm inboxes email sign-in inb_01J8ZQ4W7N --provider google'],
  })
    .argument('<id>', 'the id of the inbox')
    .addOption(
      new Option('--provider <provider>', 'provider of the mailbox')
        .choices(['google', 'microsoft'])
        .makeOptionMandatory(),
    )
    .option('--mailbox <address>', 'a shared mailbox at Microsoft; default: the one of the person')
    .addOption(
      new Option('--use <what>', 'use of the sign-in').choices(['both', 'read', 'send']).default('both'),
    )
    .action((id, given, self) =>
      runAction(self, (context) => signIn(context, id, given as unknown as SignInOptions)),
    )
}

async function signIn(
  context: Context,
  id: string,
  { provider, mailbox, use }: SignInOptions,
): Promise<void> {
  const { call } = await openClient(context, 'session')
  const started = await call((crm) => crm.inboxes.startEmailSignIn(id, { provider, mailbox }))
  const { email: signedIn } = await waitForGrant(context, {
    call,
    started,
    confirm: (crm, state) => crm.inboxes.confirmEmailSignIn(provider, { state }),
    command: 'crm inboxes email sign-in',
  })
  const email = changedEmail(signedIn, {}, {})
  const auth = 'oauth' as const
  const row = await call((crm) =>
    crm.inboxes.update(id, {
      email: {
        ...email,
        ...(use !== 'send' && { imap: { ...email.imap, auth } }),
        ...(use !== 'read' && { transport: 'smtp' as const, smtp: { auth } }),
      },
    }),
  )
  context.output.say(`Signed in to ${cleanLine(signedIn.oauth?.user ?? '')}.`)
  printRecord(context.output, { row, columns, quiet: row._id })
}

/** `crm inboxes email sign-out ID`: removes the sign-in. */
export const signOutOfMailbox = resultCommand({
  operation: inboxes.endEmailSignIn,
  name: 'sign-out',
  summary: 'Remove the sign-in to the mailbox of an inbox',
  description:
    'Remove the sign-in to the mailbox of an inbox. Google ends the grant too; at Microsoft the person removes it.',
  examples: ['crm inboxes email sign-out inb_01J8ZQ4W7N'],
  print: (output, row) => {
    output.say('Removed the sign-in.')
    printRecord(output, { row, columns, quiet: row._id })
  },
})
