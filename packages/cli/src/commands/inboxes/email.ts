import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { Inbox } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { readGivenFile, readSecretFile } from '../../prompts/read-secret.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'
import { changedEmail, type EmailOptions } from './changed-email.ts'

const columns: readonly Column<Inbox>[] = [
  { title: 'Id', value: (inbox) => inbox._id },
  { title: 'Name', value: (inbox) => inbox.name },
  { title: 'Address', value: ({ email }) => email.address },
  { title: 'Transport', value: ({ email }) => email.transport },
  { title: 'Server', value: ({ email }) => email.smtp && `${email.smtp.host}:${email.smtp.port}` },
  { title: 'Password', value: ({ email }) => email.hasSmtpPassword },
  { title: 'Last error', value: ({ email }) => email.smtp?.status.error ?? null },
  { title: 'Next try', value: ({ email }) => email.smtp?.status.nextTryAt ?? null, isTime: true },
  { title: 'Signed in as', value: ({ email }) => email.oauth?.user ?? null },
  { title: 'Mailbox', value: ({ email }) => email.imap && `${email.imap.host}:${email.imap.port}` },
  { title: 'Mailbox password', value: ({ email }) => email.imap && email.hasImapPassword },
  { title: 'Mailbox error', value: ({ email }) => email.imap?.status.error ?? null },
]

/** `crm inboxes email set ID`: the address of an inbox, how its replies leave, and the mailbox that it reads. */
export const setEmail: NounCommand = (parent) => {
  addOptions(
    addCommand(parent, {
      name: 'set',
      summary: 'Set up the e-mail of an inbox',
      description:
        'Set up the e-mail of an inbox: its address, how its replies are sent, and the mailbox that it reads. An option that is not given keeps its value; without any the command asks.',
      notes:
        'A password is read from a file or asked for, and belongs to its host and user: another host needs it again.',
      examples: [
        'crm inboxes email set inb_01J8ZQ4W7N --address support@acme.test --transport relay',
        'crm inboxes email set inb_01J8ZQ4W7N --address help@acme.test --transport smtp --smtp mail.acme.test:587 --smtp-user help --smtp-password-file secret.txt',
        'crm inboxes email set inb_01J8ZQ4W7N --imap mail.acme.test:993 --imap-user help --imap-password-file secret.txt',
        'crm inboxes email set inb_01J8ZQ4W7N --imap none',
        'crm inboxes email set inb_01J8ZQ4W7N --reopen-days 14 --authserv-id mx.acme.test --auto-reply off',
      ],
    }),
  )
    .argument('<id>', 'the id of the inbox')
    .action((id, given, self) => runAction(self, (context) => change(context, id, given as EmailOptions)))
}

function addOptions(command: Command): Command {
  return command
    .option('--address <address>', 'address of the inbox')
    .option('--display-name <name>', 'name beside the address')
    .option('--plus-addressing <on|off>', 'the mailbox receives local+anything@domain', onOrOff)
    .addOption(new Option('--transport <transport>', 'how replies leave').choices(['none', 'relay', 'smtp']))
    .option('--smtp <host:port>', 'server of the inbox', hostAndPort)
    .addOption(new Option('--smtp-security <kind>', 'default: starttls').choices(['tls', 'starttls']))
    .option('--smtp-user <name>', 'name to sign in with')
    .option('--smtp-password-file <file>', 'read the password from a file')
    .option('--imap <host:port>', 'server of the mailbox that is read, or none', mailbox)
    .addOption(new Option('--imap-security <kind>', 'default: tls').choices(['tls', 'starttls']))
    .option('--imap-user <name>', 'name to sign in to the mailbox with')
    .option('--imap-folder <folder>', 'folder that is read, default: INBOX')
    .option('--imap-password-file <file>', 'read the password of the mailbox from a file')
    .option('--imap-since <time>', 'the first reading begins at this time: 2026-11-01T00:00:00Z')
    .option('--delay <seconds>', 'time in which a reply can be taken back, 0 to 60', Number)
    .option('--reopen-days <days>', 'days in which mail opens a closed conversation again', Number)
    .option('--signature-file <file>', 'read the Markdown below every reply from a file')
    .option('--auto-reply <on|off>', 'reply once to mail that begins a conversation', onOrOff)
    .option('--auto-reply-file <file>', 'read the text of the automatic reply from a file, and turn it on')
    .option('--authserv-id <name...>', 'mail servers whose Authentication-Results are believed, or none')
    .option(
      '--reply-to-sender <address...>',
      'senders, such as forms or @shop.example, whose mail is from whom its Reply-To names, or none',
    )
    .option('--mailgun-key-file <file>', 'read the key that signs the posts of Mailgun from a file')
    .option(
      '--sendgrid-key-file <file>',
      'read the public key of the signed event webhook of SendGrid from a file',
    )
    .option('--ses-topic-arn <arn>', 'topic whose events of Amazon SES are taken, or none')
    .option(
      '--ses-configuration-set <name>',
      'configuration set of Amazon SES with that topic, or none',
    ) as unknown as Command
}

async function readText(file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : (await readGivenFile(file)).trim()
}

async function readMailgunKey({ mailgunKeyFile }: EmailOptions): Promise<string | undefined> {
  return mailgunKeyFile === undefined ? undefined : readSecretFile(mailgunKeyFile, '--mailgun-key-file')
}

function onOrOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('Expected on or off.')
}

const serverPattern = /^(.+):(\d{1,5})$/
const serverProblem = 'Expected a host and a port, such as mail.example.com:587.'

function hostAndPort(text: string): { host: string; port: number } {
  const [, host, port] = serverPattern.exec(text) ?? []
  if (host === undefined) throw new InvalidArgumentError(serverProblem)
  return { host, port: Number(port) }
}

function mailbox(text: string): { host: string; port: number } | 'none' {
  return text === 'none' ? text : hostAndPort(text)
}

async function change(context: Context, id: string, given: EmailOptions): Promise<void> {
  const isEmpty = Object.values(given).every((value) => value === undefined)
  if (isEmpty && !context.prompter.isInteractive) throw usageError('Nothing to change was given.')
  const { call } = await openClient(context, 'session')
  const current = await call((crm) => crm.inboxes.get(id))
  const options = isEmpty ? await askSettings(context, current.email) : given
  const email = changedEmail(current.email, options, {
    signature: await readText(options.signatureFile),
    autoReply: await readText(options.autoReplyFile),
  })
  let row = await call((crm) => crm.inboxes.update(id, { email }))
  const passwords = {
    smtpPassword: await readPassword(context, row, options),
    imapPassword: await readMailboxPassword(context, row, options),
    mailgunSigningKey: await readMailgunKey(options),
    sendgridVerificationKey: await readText(options.sendgridKeyFile),
  }
  if (Object.values(passwords).some((password) => password !== undefined))
    row = await call((crm) => crm.inboxes.setEmailCredentials(id, passwords))
  context.output.say('Changed the e-mail of the inbox.')
  printRecord(context.output, { row, columns, quiet: row._id })
}

/** Asks for everything that mail needs, with the present values as the suggestions. */
async function askSettings(context: Context, current: Inbox['email']): Promise<EmailOptions> {
  const sending = await askTransport(context, current)
  return { ...sending, ...(await askMailbox(context, current, sending.address)) }
}

async function askMailbox(
  { prompter }: Context,
  { imap: current }: Inbox['email'],
  address: string | undefined,
): Promise<EmailOptions> {
  const isRead = await prompter.confirm('Read mail from a mailbox over IMAP?', { default: current !== null })
  if (!isRead) return { imap: 'none' }
  const server = await prompter.text('Server of the mailbox', {
    default: current === null ? undefined : `${current.host}:${current.port}`,
    problemOf: (text) => (serverPattern.test(text) ? undefined : serverProblem),
  })
  const imapUser = await prompter.text('Name to sign in to the mailbox with', {
    default: current?.user ?? address,
  })
  return { imap: hostAndPort(server), imapUser }
}

async function askTransport({ prompter }: Context, current: Inbox['email']): Promise<EmailOptions> {
  const address = await prompter.text('Address of the inbox', { default: current.address ?? undefined })
  const transport = await prompter.chooseOne('How do replies leave?', [
    { value: 'relay', description: 'through the relay of the installation' },
    { value: 'smtp', description: 'through a server of your own' },
    { value: 'none', description: 'not at all: your own system delivers them' },
  ])
  if (transport !== 'smtp') return { address, transport }
  const { smtp } = current
  const server = await prompter.text('Server', {
    default: smtp === null ? undefined : `${smtp.host}:${smtp.port}`,
    problemOf: (text) => (serverPattern.test(text) ? undefined : serverProblem),
  })
  const smtpUser = await prompter.text('Name to sign in with', { default: smtp?.user ?? address })
  return { address, transport, smtp: hostAndPort(server), smtpUser }
}

/** A server with a user needs a password, unless somebody has signed in; a program that gives none is not asked. */
async function readPassword(
  { prompter }: Context,
  { email }: Inbox,
  { smtpPasswordFile }: EmailOptions,
): Promise<string | undefined> {
  if (smtpPasswordFile !== undefined) return readSecretFile(smtpPasswordFile, '--smtp-password-file')
  const { smtp } = email
  if (smtp === null || smtp.user === null || smtp.auth === 'oauth' || email.hasSmtpPassword) return undefined
  prompter.requireValues({ '--smtp-password-file': undefined })
  return prompter.secret(`Password of ${smtp.user} at ${smtp.host}`)
}

/** A mailbox needs a password, unless somebody has signed in. */
async function readMailboxPassword(
  { prompter }: Context,
  { email }: Inbox,
  { imapPasswordFile }: EmailOptions,
): Promise<string | undefined> {
  if (imapPasswordFile !== undefined) return readSecretFile(imapPasswordFile, '--imap-password-file')
  if (email.imap === null || email.imap.auth === 'oauth' || email.hasImapPassword) return undefined
  prompter.requireValues({ '--imap-password-file': undefined })
  return prompter.secret(`Password of ${email.imap.user} at ${email.imap.host}`)
}
