import { z } from 'zod'
import { normalizeEmail } from '../shared/fold.ts'
import { rule } from '../shared/rule.ts'
import {
  isEmail,
  moment,
  optionalEmail,
  optionalLines,
  optionalText,
  optionalTimestamp,
  requiredText,
} from '../shared/text.ts'
import { mailProviders } from './mail-providers.ts'
import { unknownVariablesOf } from './signature.ts'

export const mailTransports = ['none', 'relay', 'smtp'] as const
export const mailSecurities = ['tls', 'starttls'] as const
export const mailAuths = ['password', 'oauth'] as const
const authservIdsMax = 5
const replyToSendersMax = 50
const signatureMax = 5000
const hostMax = 253

const fieldText = {
  address:
    'Address of the inbox. Several inboxes may have entered it, and one of the whole installation may have proven it.',
  displayName: 'Name that recipients see beside the address.',
  plusAddressing:
    'Whether the mailbox receives `local+anything@domain`. Replies then find their conversation by a signed address.',
  authservIds: 'Names of the mail servers whose `Authentication-Results` are believed.',
  replyToSenders:
    'Addresses, or domains such as `@shop.example`, whose mail is from whom its Reply-To names: forms of websites and shops.',
  signature:
    'Markdown below every reply, with the variables `{{agent.firstName}}`, `{{agent.lastName}}` and `{{inbox.name}}`.',
  transport:
    'How replies leave: `none` (your system delivers on `message.sent`), `relay` (the relay of the installation) or `smtp` (the server in `smtp`).',
  sendDelaySeconds: 'Seconds in which a reply can be taken back before it is sent.',
  reopenDays: 'Days after which a mail to a closed conversation begins a new one.',
  autoReply: 'Automatic reply to a mail that begins a conversation.',
  autoReplyEnabled: 'Whether automatic replies are sent.',
  autoReplyContent: 'Text of the automatic reply.',
  sesTopicArn: 'ARN of the Amazon SNS topic whose events of Amazon SES are taken; null takes none.',
  sesConfigurationSet: 'Configuration set of Amazon SES that sends its events to the topic.',
  imap: 'Mailbox that mail is fetched from; null for none.',
  imapEnabled: 'Whether mail is fetched.',
  smtp: 'Server that replies are sent through; null for none.',
  host: 'Name or address of the server.',
  port: 'Port: 25, 143, 465, 587, 993, or one from 1024.',
  security: '`tls` from the first byte, or `starttls`, which is then required.',
  user: 'Name to sign in with.',
  auth: 'How the service signs in: with a `password`, or by the sign-in of a person at the provider (`oauth`), which then decides the server and the user.',
  folder: 'Folder that is read.',
  since: 'Mail that arrived before this moment is not fetched; null begins with the next mail.',
}

const serverStatus = {
  ok: z.boolean().nullable().describe('Whether the last connection succeeded; null before the first.'),
  checkedAt: optionalTimestamp.describe('Time of the last connection.'),
  error: z.string().nullable().describe('Why the last connection failed, in one sentence.'),
  reauthRequired: z
    .boolean()
    .default(false)
    .describe('Whether the provider has ended the sign-in, so that a person has to sign in again.'),
}

const auth = z.enum(mailAuths).default('password').describe(fieldText.auth)

export const inboxEmail = z.object({
  address: z.string().nullable().describe(fieldText.address),
  displayName: z.string().nullable().describe(fieldText.displayName),
  plusAddressing: z.boolean().describe(fieldText.plusAddressing),
  authservIds: z.array(z.string()).describe(fieldText.authservIds),
  replyToSenders: z.array(z.string()).default([]).describe(fieldText.replyToSenders),
  signature: z.string().nullable().describe(fieldText.signature),
  sesTopicArn: z.string().nullable().default(null).describe(fieldText.sesTopicArn),
  sesConfigurationSet: z.string().nullable().default(null).describe(fieldText.sesConfigurationSet),
  transport: z.enum(mailTransports).describe(fieldText.transport),
  sendDelaySeconds: z.int().describe(fieldText.sendDelaySeconds),
  reopenDays: z.int().describe(fieldText.reopenDays),
  autoReply: z
    .object({
      enabled: z.boolean().describe(fieldText.autoReplyEnabled),
      content: z.string().nullable().describe(fieldText.autoReplyContent),
    })
    .describe(fieldText.autoReply),
  imap: z
    .object({
      enabled: z.boolean().describe(fieldText.imapEnabled),
      auth,
      host: z.string().describe(fieldText.host),
      port: z.int().describe(fieldText.port),
      security: z.enum(mailSecurities).describe(fieldText.security),
      user: z.string().describe(fieldText.user),
      folder: z.string().describe(fieldText.folder),
      since: optionalTimestamp.describe(fieldText.since),
      status: z
        .object({
          ...serverStatus,
          lastMailAt: optionalTimestamp.describe('Time of the last mail that was fetched.'),
        })
        .describe('State of the connection.'),
    })
    .nullable()
    .describe(fieldText.imap),
  smtp: z
    .object({
      auth,
      host: z.string().describe(fieldText.host),
      port: z.int().describe(fieldText.port),
      security: z.enum(mailSecurities).describe(fieldText.security),
      user: z.string().nullable().describe(`${fieldText.user} Null where the server asks for none.`),
      status: z
        .object({
          ...serverStatus,
          nextTryAt: optionalTimestamp
            .default(null)
            .describe(
              'Time of the next attempt while the server refuses the sign-in or cuts connections; null while nothing holds mail back.',
            ),
        })
        .describe('State of the connection.'),
    })
    .nullable()
    .describe(fieldText.smtp),
  oauth: z
    .object({
      provider: z.enum(mailProviders).describe('Provider of the mailbox.'),
      user: z.string().describe('Mailbox that the service signs in to.'),
      grantedAt: moment.describe('Time of the sign-in.'),
    })
    .nullable()
    .default(null)
    .describe('Sign-in of a person at the provider of the mailbox; null without one.'),
  hasSmtpPassword: z.boolean().describe('Whether a password for `smtp` is stored.'),
  hasImapPassword: z.boolean().describe('Whether a password for `imap` is stored.'),
  hasMailgunSigningKey: z.boolean().describe('Whether mail from Mailgun has to be signed.'),
  hasSendgridVerificationKey: z
    .boolean()
    .default(false)
    .describe('Whether events of SendGrid have to be signed.'),
  eventsTokenMadeAt: optionalTimestamp
    .default(null)
    .describe('Time at which the token for events of a mail provider was made; null: there is none.'),
  inboundTokenPrefix: z
    .string()
    .nullable()
    .describe('First characters of the token of the inbound address; null before the first.'),
  dkim: z
    .object({
      selector: z.string().describe('Name of the key in the DNS of the domain.'),
      publicKey: z.string().describe('Public key, in base64 of its DER form.'),
    })
    .nullable()
    .describe('Key that signs the mail of this inbox; null without one.'),
  domainProvenAt: optionalTimestamp.describe(
    'Time at which the DNS of the address named this inbox; null: not proven, so the relay sends from its own address.',
  ),
  addressProvenElsewhere: z
    .boolean()
    .describe('Whether another inbox of the installation has proven this address.'),
})
export type InboxEmail = z.infer<typeof inboxEmail>

/** The settings of an inbox that nobody has changed yet, and of the rows of earlier versions. */
export const noEmailSettings: InboxEmail = {
  address: null,
  displayName: null,
  plusAddressing: false,
  authservIds: [],
  replyToSenders: [],
  signature: null,
  sesTopicArn: null,
  sesConfigurationSet: null,
  transport: 'none',
  sendDelaySeconds: 0,
  reopenDays: 30,
  autoReply: { enabled: false, content: null },
  imap: null,
  smtp: null,
  oauth: null,
  hasSmtpPassword: false,
  hasImapPassword: false,
  hasMailgunSigningKey: false,
  hasSendgridVerificationKey: false,
  eventsTokenMadeAt: null,
  inboundTokenPrefix: null,
  dkim: null,
  domainProvenAt: null,
  addressProvenElsewhere: false,
}

/** A topic of any partition: `aws`, `aws-cn`, `aws-us-gov` and later ones. */
export const snsTopicPattern =
  /^arn:aws(?:-[a-z]{1,12}){0,3}:sns:[a-z0-9-]{1,40}:\d{12}:[A-Za-z0-9_-]{1,256}$/

/** Returns an address, or a domain behind `@`, in the form in which the addresses of mails are compared. */
function normalizeSender(text: string): string {
  return text.startsWith('@') ? normalizeEmail(`x${text}`).slice(1) : normalizeEmail(text)
}

// A label of a host name, or an address; which addresses are allowed is checked where the connection is made.
const hostPattern =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|[0-9a-f:]+)$/

const host = z
  .string()
  .trim()
  .max(hostMax)
  .overwrite((text) => text.toLowerCase())
  .refine((text) => hostPattern.test(text), rule('host', 'must be a host name or an address'))
const port = z.int().min(1).max(65_535)

const signature = optionalLines(signatureMax).refine(
  (text) => unknownVariablesOf(text ?? '').length === 0,
  rule('variable', 'must name known variables only'),
)

const unlessSignedIn = 'Required for the auth `password`.'
const server = {
  auth: z.enum(mailAuths).nullable().optional().describe(`${fieldText.auth} Default: password.`),
  host: host.nullable().optional().describe(`${fieldText.host} ${unlessSignedIn}`),
  port: port.nullable().optional().describe(`${fieldText.port} ${unlessSignedIn}`),
  security: z.enum(mailSecurities).nullable().optional().describe(`${fieldText.security} ${unlessSignedIn}`),
}

export const inboxEmailBody = z.strictObject({
  address: optionalEmail.describe(fieldText.address),
  displayName: optionalText(100).describe(fieldText.displayName),
  plusAddressing: z.boolean().nullable().optional().describe(`${fieldText.plusAddressing} Default: false.`),
  authservIds: z
    .array(requiredText(hostMax).overwrite((text) => text.toLowerCase()))
    .max(authservIdsMax)
    .overwrite((names) => [...new Set(names)])
    .nullable()
    .optional()
    .describe(fieldText.authservIds),
  replyToSenders: z
    .array(
      z
        .string()
        .max(254)
        .overwrite((text) => text.trim())
        .refine(
          (text) => isEmail(text.startsWith('@') ? `x${text}` : text),
          rule('email', 'must be an e-mail address, or a domain behind @'),
        )
        .overwrite(normalizeSender),
    )
    .max(replyToSendersMax)
    .overwrite((senders) => [...new Set(senders)])
    .nullable()
    .optional()
    .describe(fieldText.replyToSenders),
  signature: signature.describe(fieldText.signature),
  sesTopicArn: z
    .string()
    .max(400)
    .regex(snsTopicPattern, 'must be an ARN such as arn:aws:sns:eu-west-1:123456789012:mail')
    .nullable()
    .optional()
    .describe(fieldText.sesTopicArn),
  sesConfigurationSet: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 letters, digits, - or _')
    .nullable()
    .optional()
    .describe(fieldText.sesConfigurationSet),
  transport: z.enum(mailTransports).nullable().optional().describe(`${fieldText.transport} Default: none.`),
  sendDelaySeconds: z
    .int()
    .min(0)
    .max(60)
    .nullable()
    .optional()
    .describe(`${fieldText.sendDelaySeconds} Default: 0.`),
  reopenDays: z.int().min(1).max(365).nullable().optional().describe(`${fieldText.reopenDays} Default: 30.`),
  autoReply: z
    .strictObject({
      enabled: z.boolean().nullable().optional().describe(`${fieldText.autoReplyEnabled} Default: false.`),
      content: optionalLines(signatureMax).describe(fieldText.autoReplyContent),
    })
    .nullable()
    .optional()
    .describe(fieldText.autoReply),
  imap: z
    .strictObject({
      enabled: z.boolean().nullable().optional().describe(`${fieldText.imapEnabled} Default: true.`),
      ...server,
      user: optionalText(254).describe(`${fieldText.user} ${unlessSignedIn}`),
      folder: optionalText(255).describe(`${fieldText.folder} Default: INBOX.`),
      since: moment.nullable().optional().describe(fieldText.since),
    })
    .nullable()
    .optional()
    .describe(fieldText.imap),
  smtp: z
    .strictObject({
      ...server,
      user: optionalText(254).describe(`${fieldText.user} Null where the server asks for none.`),
    })
    .nullable()
    .optional()
    .describe(fieldText.smtp),
})
export type InboxEmailBody = z.output<typeof inboxEmailBody>

const secretText = (what: string) =>
  z
    .string()
    .min(1)
    .max(1024)
    .refine((text) => !/[\u0000\r\n]/.test(text), rule('control', 'must not hold control characters'))
    .nullable()
    .optional()
    .describe(`${what} Null removes it. It is never shown.`)

export const emailCredentialsBody = z
  .strictObject({
    smtpPassword: secretText('Password for the SMTP server of the inbox.'),
    imapPassword: secretText('Password for the mailbox of the inbox.'),
    mailgunSigningKey: secretText('Key that Mailgun signs its requests with.'),
    sendgridVerificationKey: secretText(
      'Public key of the signed event webhook of SendGrid, as it shows it.',
    ),
  })
  .meta({ id: 'SetEmailCredentials', description: 'Secrets of the e-mail settings of an inbox.' })
export type EmailCredentialsBody = z.output<typeof emailCredentialsBody>

export const emailSignInBody = z
  .strictObject({
    provider: z.enum(mailProviders).describe('Provider of the mailbox.'),
    mailbox: optionalEmail.describe(
      'Address of a shared mailbox at Microsoft that the person may use. Default: the mailbox of the person.',
    ),
  })
  .meta({ id: 'StartEmailSignIn', description: 'Start of a sign-in at the provider of a mailbox.' })
