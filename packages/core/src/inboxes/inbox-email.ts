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
import { unknownVariablesOf } from './signature.ts'

export const mailTransports = ['none', 'relay', 'smtp'] as const
export const mailSecurities = ['tls', 'starttls'] as const
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
  imap: 'Mailbox that mail is fetched from; null for none.',
  imapEnabled: 'Whether mail is fetched.',
  smtp: 'Server that replies are sent through; null for none.',
  host: 'Name or address of the server.',
  port: 'Port: 25, 143, 465, 587, 993, or one from 1024.',
  security: '`tls` from the first byte, or `starttls`, which is then required.',
  user: 'Name to sign in with.',
  folder: 'Folder that is read.',
  since: 'Mail that arrived before this moment is not fetched; null begins with the next mail.',
}

const serverStatus = {
  ok: z.boolean().nullable().describe('Whether the last connection succeeded; null before the first.'),
  checkedAt: optionalTimestamp.describe('Time of the last connection.'),
  error: z.string().nullable().describe('Why the last connection failed, in one sentence.'),
}

export const inboxEmail = z.object({
  address: z.string().nullable().describe(fieldText.address),
  displayName: z.string().nullable().describe(fieldText.displayName),
  plusAddressing: z.boolean().describe(fieldText.plusAddressing),
  authservIds: z.array(z.string()).describe(fieldText.authservIds),
  replyToSenders: z.array(z.string()).default([]).describe(fieldText.replyToSenders),
  signature: z.string().nullable().describe(fieldText.signature),
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
  transport: 'none',
  sendDelaySeconds: 0,
  reopenDays: 30,
  autoReply: { enabled: false, content: null },
  imap: null,
  smtp: null,
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

const server = {
  host: host.describe(fieldText.host),
  port: port.describe(fieldText.port),
  security: z.enum(mailSecurities).describe(fieldText.security),
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
      user: requiredText(254).describe(fieldText.user),
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
