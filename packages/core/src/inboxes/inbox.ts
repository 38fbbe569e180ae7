import { z } from 'zod'
import { channels } from '../conversations/conversation-values.ts'
import { createdAt, type NewResource, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { referenceTo } from '../shared/reference.ts'
import { rule } from '../shared/rule.ts'
import { secretOverlapSeconds } from '../shared/secret-rotation.ts'
import { optionalText, optionalTimestamp, requiredText, timestamp } from '../shared/text.ts'
import { inboxEmail, inboxEmailBody, noEmailSettings } from './inbox-email.ts'
import { storedWidgetTexts, widgetTexts } from './widget-texts.ts'

const fieldText = {
  name: 'Name of the inbox.',
  channel: 'Channel that the inbox receives.',
  isActive: 'Whether the inbox is in use.',
  isDefault: 'Whether this is the default inbox of the tenant. There is always exactly one.',
  members: 'Ids of the users who work in the inbox.',
  autoAssign: 'Automatic assignment of new conversations.',
  autoAssignEnabled: 'Whether new conversations without an assignee are assigned.',
  strategy: 'Order of the members.',
  onlyOnline:
    'Whether members must be online. With false, those are skipped who have set that they are away or offline.',
  maxOpen: 'Open conversations from which a member is skipped; null for no limit.',
  widget: 'Chat widget of the inbox.',
  widgetEnabled: 'Whether the widget may be used.',
  allowedOrigins: 'Origins of the pages that may show the widget.',
  greeting: 'First sentence that visitors see.',
  color: 'Colour of the widget, such as `#3457d5`.',
  identityRequired: 'Whether visitors need a signed identity.',
  showTeam:
    'Whether visitors see the name of the tenant and the first names of up to three members who are online.',
  texts: 'Texts of the widget that replace its own in every language, by their keys.',
  askEmail: 'Whether the widget asks an anonymous visitor for an e-mail address after the first message.',
  replyByMail:
    'Replies that a visitor has not read within five minutes are mailed to the address that they gave.',
  replyByMailEnabled: 'Whether they are mailed.',
  replyByMailInboxId: 'Id of the inbox that sends the mail: one with a transport. It may be the same inbox.',
  email: 'How the inbox receives and sends e-mail.',
  sending: 'Whether mail leaves: it rests after too many reports that addresses do not exist, or of spam.',
}

export const noReplyByMail = { enabled: false, inboxId: null }

export const activeSending = { state: 'active' as const, since: null, reason: null }

export const inbox = z
  .object({
    _id: ownId('inbox'),
    tenantId,
    name: z.string().describe(fieldText.name),
    channel: z.enum(channels).describe(fieldText.channel),
    isActive: z.boolean().describe(fieldText.isActive),
    isDefault: z.boolean().describe(fieldText.isDefault),
    members: z.array(z.string()).describe(fieldText.members),
    autoAssign: z
      .object({
        enabled: z.boolean().describe(fieldText.autoAssignEnabled),
        strategy: z.literal('round_robin').describe(fieldText.strategy),
        onlyOnline: z.boolean().describe(fieldText.onlyOnline),
        maxOpen: z.int().nullable().describe(fieldText.maxOpen),
      })
      .describe(fieldText.autoAssign),
    widget: z
      .object({
        enabled: z.boolean().describe(fieldText.widgetEnabled),
        publicKey: z.string().nullable().describe('Public key that a page loads the widget with.'),
        allowedOrigins: z.array(z.string()).describe(fieldText.allowedOrigins),
        greeting: z.string().nullable().describe(fieldText.greeting),
        color: z.string().nullable().describe(fieldText.color),
        identityRequired: z.boolean().describe(fieldText.identityRequired),
        showTeam: z.boolean().default(false).describe(fieldText.showTeam),
        texts: storedWidgetTexts.default({}).describe(fieldText.texts),
        askEmail: z.boolean().default(false).describe(fieldText.askEmail),
        replyByMail: z
          .object({
            enabled: z.boolean().describe(fieldText.replyByMailEnabled),
            inboxId: z.string().nullable().describe(fieldText.replyByMailInboxId),
          })
          .default(noReplyByMail)
          .describe(fieldText.replyByMail),
        identitySecretPrefix: z
          .string()
          .nullable()
          .describe('First characters of the identity secret; null before the first one.'),
        previousIdentitySecretExpiresAt: optionalTimestamp.describe(
          'End of the validity of the previous identity secret during a rotation; else null.',
        ),
        lastSeen: z
          .object({
            origin: z.string().describe('Origin of the page, as its browser says. Anybody can name one.'),
            at: timestamp.describe('Time at which the page has loaded the widget, to the minute.'),
          })
          .nullable()
          .default(null)
          .describe('The page that has loaded the widget last; null before the first one.'),
      })
      .describe(fieldText.widget),
    email: inboxEmail.describe(fieldText.email),
    sending: z
      .object({
        state: z.enum(['active', 'resting']).describe('`resting`: mail waits until somebody releases it.'),
        since: optionalTimestamp.describe('Time at which the rest began.'),
        reason: z.string().nullable().describe('Why, in one sentence.'),
      })
      .default(activeSending)
      .describe(fieldText.sending),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Inbox', description: 'A group of conversations with its own members and widget.' })
export type Inbox = z.infer<typeof inbox>

export const inboxWithSecret = z
  .object({
    ...inbox.shape,
    secret: z.string().describe('Identity secret of the widget. It is shown only in this response.'),
  })
  .meta({ id: 'InboxWithWidgetSecret', description: 'An inbox with a new identity secret of its widget.' })

export const inboxWithInboundToken = z
  .object({
    ...inbox.shape,
    inboundToken: z
      .string()
      .describe('Token of the address that receives mail over HTTP. It is shown only in this response.'),
  })
  .meta({ id: 'InboxWithInboundToken', description: 'An inbox with a new token of its inbound address.' })

export const eventsToken = z
  .object({
    _id: z.string().describe('Id of the inbox.'),
    eventsToken: z.string().describe('Token of the address for events. It is shown only in this response.'),
  })
  .meta({ id: 'EventsToken', description: 'A new token of the address for events of a mail provider.' })

export const widgetSecretBody = z
  .strictObject({
    overlapSeconds: secretOverlapSeconds,
  })
  .meta({ id: 'MakeWidgetSecret', description: 'How to rotate the identity secret.' })

const membersMax = 200
const originsMax = 50

const origin = z
  .string()
  .trim()
  .max(253 + 'https://:65535'.length)
  .overwrite((text) => text.toLowerCase())
  .refine(isOrigin, rule('origin', 'must be an origin such as https://www.example.com'))

/** Scheme, host and port, and nothing else; plain http only on the developer's own machine. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.origin !== text) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost')
}

const writableFields = {
  channel: z.enum(channels).nullable().optional().describe(`${fieldText.channel} Default: email.`),
  isActive: z.boolean().nullable().optional().describe(`${fieldText.isActive} Default: true.`),
  isDefault: z.boolean().nullable().optional().describe('Make this the default inbox of the tenant.'),
  members: z
    .array(referenceTo('user', z.string().min(1).max(128)))
    .max(membersMax)
    .overwrite((ids) => [...new Set(ids)])
    .nullable()
    .optional()
    .describe(fieldText.members),
  autoAssign: z
    .strictObject({
      enabled: z.boolean().nullable().optional().describe(`${fieldText.autoAssignEnabled} Default: false.`),
      strategy: z.literal('round_robin').nullable().optional().describe(fieldText.strategy),
      onlyOnline: z.boolean().nullable().optional().describe(`${fieldText.onlyOnline} Default: true.`),
      maxOpen: z.int().min(1).max(10_000).nullable().optional().describe(fieldText.maxOpen),
    })
    .nullable()
    .optional()
    .describe(fieldText.autoAssign),
  widget: z
    .strictObject({
      enabled: z.boolean().nullable().optional().describe(`${fieldText.widgetEnabled} Default: false.`),
      allowedOrigins: z
        .array(origin)
        .max(originsMax)
        .nullable()
        .optional()
        .describe(`${fieldText.allowedOrigins} HTTPS, or http on localhost.`),
      greeting: optionalText(500).describe(fieldText.greeting),
      color: z
        .string()
        .trim()
        .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #3457d5')
        .nullable()
        .optional()
        .describe(fieldText.color),
      identityRequired: z
        .boolean()
        .nullable()
        .optional()
        .describe(`${fieldText.identityRequired} Default: false.`),
      showTeam: z.boolean().nullable().optional().describe(`${fieldText.showTeam} Default: false.`),
      texts: widgetTexts.nullable().optional().describe(fieldText.texts),
      askEmail: z
        .boolean()
        .nullable()
        .optional()
        .describe(`${fieldText.askEmail} Default: \`replyByMail.enabled\`.`),
      replyByMail: z
        .strictObject({
          enabled: z
            .boolean()
            .nullable()
            .optional()
            .describe(`${fieldText.replyByMailEnabled} Default: false.`),
          inboxId: referenceTo('inbox').nullable().optional().describe(fieldText.replyByMailInboxId),
        })
        .nullable()
        .optional()
        .describe(fieldText.replyByMail),
    })
    .nullable()
    .optional()
    .describe(fieldText.widget),
  email: inboxEmailBody.nullable().optional().describe(fieldText.email),
}

export const createInboxBody = z
  .strictObject({ name: requiredText(100).describe(fieldText.name), ...writableFields })
  .meta({ id: 'CreateInbox', description: 'A new inbox.' })
export type CreateInboxBody = z.output<typeof createInboxBody>

export const updateInboxBody = z
  .strictObject({ name: requiredText(100).optional().describe(fieldText.name), ...writableFields })
  .meta({ id: 'UpdateInbox', description: 'Changes of an inbox. An absent field keeps its value.' })
export type UpdateInboxBody = z.output<typeof updateInboxBody>

/** The inbox that every tenant has from the start. */
export function newDefaultInbox({ id, tenantId, now }: NewResource): Inbox {
  return {
    _id: id,
    tenantId,
    name: 'Inbox',
    channel: 'email',
    isActive: true,
    isDefault: true,
    members: [],
    autoAssign: { enabled: false, strategy: 'round_robin', onlyOnline: true, maxOpen: null },
    widget: {
      enabled: false,
      publicKey: null,
      allowedOrigins: [],
      greeting: null,
      color: null,
      identityRequired: false,
      showTeam: false,
      texts: {},
      askEmail: false,
      replyByMail: noReplyByMail,
      identitySecretPrefix: null,
      previousIdentitySecretExpiresAt: null,
      lastSeen: null,
    },
    email: noEmailSettings,
    sending: activeSending,
    createdAt: now,
    updatedAt: now,
  }
}
