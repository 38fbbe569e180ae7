import { z } from 'zod'
import { attachment, attachmentsPerMessageMax } from '../attachments/attachment.ts'
import { conversationStatuses } from '../conversations/conversation-values.ts'
import { storedWidgetTexts } from '../inboxes/widget-texts.ts'
import { contentTypes, messageDirections } from '../messages/message.ts'
import { choiceOfVisitor, madeChoice, messageChoice } from '../messages/message-choices.ts'
import { createdAt, ownId, updatedAt } from '../shared/common-fields.ts'
import { referenceTo } from '../shared/reference.ts'
import { rule } from '../shared/rule.ts'
import {
  linesOrNone,
  optionalEmail,
  optionalLines,
  optionalText,
  optionalTimestamp,
  requiredText,
  timestamp,
} from '../shared/text.ts'

/* The resources as a visitor of the chat widget sees them: without ids of the tenant, its users and its customers. */

export const visitorContentLengthMax = 10_000
const subjectLengthMax = 300
const pageLengthMax = 2_048

export const replyTimes = ['minutes', 'hours', 'day'] as const
export type ReplyTime = (typeof replyTimes)[number]

export const widgetConfig = z
  .object({
    color: z.string().nullable().describe('Colour of the widget as `#rrggbb`; null for the default.'),
    greeting: z.string().nullable().describe('First text of an empty chat; null without one.'),
    online: z.boolean().describe('Whether an active member of the inbox is online.'),
    identityRequired: z.boolean().describe('Whether only signed visitors may write.'),
    team: z
      .object({
        name: z.string().describe('Name of the tenant.'),
        faces: z
          .array(z.object({ name: z.string().describe('First name.') }))
          .describe('At most three members of the inbox who are online.'),
      })
      .nullable()
      .describe('The team that replies; null unless the inbox shows it.'),
    replyTime: z
      .enum(replyTimes)
      .nullable()
      .describe(
        'How soon half of the first replies of the last 7 days came: within minutes, hours or a day; null for a longer time, and with fewer than 20 of them. It is found once a day.',
      ),
    texts: storedWidgetTexts.describe('Texts that replace those of the widget, by their keys.'),
    askEmail: z.boolean().describe('Whether the widget asks an anonymous visitor for an e-mail address.'),
  })
  .meta({ id: 'WidgetConfig', description: 'The appearance and the rules of a chat widget.' })

export const widgetKey = z
  .string()
  .min(1)
  .max(128)
  .describe('Public key of the widget, `wpk_…`: it names the inbox.')

/** How a visitor's program shows messages. */
export const widgetFormat = z
  .enum(['text', 'markdown'])
  .default('text')
  .describe('`markdown`: Markdown of an agent has its own `contentType`; `text`: every message is a text.')

/** The address without its query and fragment: both may hold secrets of the page. */
function withoutQuery(text: string): string {
  return text.trim().split(/[?#]/, 1)[0] ?? ''
}

function isPage(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

export const createWidgetSessionBody = z
  .strictObject({
    key: widgetKey,
    userToken: z
      .string()
      .min(1)
      .max(8_192)
      .nullable()
      .optional()
      .describe('JWT (HS256) that the server of the tenant signed with the identity secret of the inbox.'),
    profile: z
      .strictObject({
        firstName: optionalText(100).describe('First name.'),
        lastName: optionalText(100).describe('Last name.'),
        email: optionalEmail.describe('E-mail address. It never finds an existing customer.'),
      })
      .nullable()
      .optional()
      .describe('Name and address as the visitor typed them. Ignored with a `userToken`.'),
    page: z
      .string()
      .overwrite(withoutQuery)
      .max(pageLengthMax)
      .refine(isPage, rule('page', 'must be an http or https address'))
      .nullable()
      .optional()
      .describe('Address of the page that shows the widget. Its query and fragment are not stored.'),
  })
  .meta({ id: 'CreateWidgetSession', description: 'A visitor who begins a chat or signs in.' })
export type CreateWidgetSessionBody = z.output<typeof createWidgetSessionBody>

export const widgetSession = z
  .object({
    sessionToken: z
      .string()
      .describe('Credential of the visitor, `wst_…`. It is shown only in this response.'),
    expiresAt: timestamp.describe('End of the session; use extends an anonymous one.'),
    verified: z.boolean().describe('Whether a `userToken` signed the visitor in.'),
    customer: z
      .object({
        _id: z.string().nullable().describe('Id of the customer; null before the first message.'),
        firstName: z.string().nullable().describe('First name of the customer.'),
      })
      .describe('The visitor as a customer.'),
  })
  .meta({ id: 'WidgetSession', description: 'The session of a visitor.' })

/** Of a visitor who has typed or signed an address, the session itself says it; a merge of customers changes nothing here. */
export const currentWidgetSession = z
  .object({
    expiresAt: timestamp.describe('End of the session; use extends an anonymous one.'),
    verified: z.boolean().describe('Whether a `userToken` signed the visitor in.'),
    email: z
      .string()
      .nullable()
      .describe(
        'The address that mail to the visitor goes to, as they typed or signed it; null without one.',
      ),
    customer: z
      .object({
        _id: z.string().nullable().describe('Id of the customer; null before the first message.'),
        firstName: z.string().nullable().describe('First name of the customer.'),
      })
      .describe('The visitor as a customer.'),
  })
  .meta({ id: 'CurrentWidgetSession', description: 'The session of a visitor, without its token.' })
export type CurrentWidgetSession = z.infer<typeof currentWidgetSession>

export const updateWidgetSessionBody = z
  .strictObject({
    email: optionalEmail
      .nonoptional()
      .describe('E-mail address. It never finds an existing customer; null clears what this session typed.'),
    firstName: optionalText(100).describe('First name.'),
    lastName: optionalText(100).describe('Last name.'),
  })
  .meta({
    id: 'UpdateWidgetSession',
    description: 'The address and the name that an anonymous visitor typed.',
  })
export type UpdateWidgetSessionBody = z.output<typeof updateWidgetSessionBody>

const readAt = z
  .object({
    customer: optionalTimestamp.describe('Time at which the visitor last read it.'),
    agent: optionalTimestamp.describe('Time at which the team last read it.'),
  })
  .describe('Read receipts of both sides.')

const conversationFields = {
  _id: ownId('conversation'),
  subject: z.string().describe('Subject line.'),
  status: z.enum(conversationStatuses).describe('State.'),
  createdAt,
  updatedAt,
  lastMessageAt: optionalTimestamp.describe('Time of the last message.'),
  unreadCount: z.int().describe('Replies of the team since the visitor last read it, at most 100.'),
  readAt,
  rating: z
    .object({
      score: z.int().describe('Score.'),
      comment: z.string().nullable().describe('Comment.'),
      at: timestamp.describe('Time of the rating.'),
    })
    .nullable()
    .describe('Rating by the visitor; null without one.'),
  agent: z
    .object({ name: z.string().nullable().describe('First name.') })
    .nullable()
    .describe('The agent who is assigned; null when nobody is.'),
}

export const widgetConversation = z
  .object(conversationFields)
  .meta({ id: 'WidgetConversation', description: 'A conversation as its visitor sees it.' })
export type WidgetConversation = z.infer<typeof widgetConversation>

export const widgetMessage = z
  .object({
    _id: ownId('message'),
    conversationId: z.string().describe('Id of the conversation.'),
    direction: z.enum(messageDirections).describe('`inbound` from the visitor, `outbound` to the visitor.'),
    sender: z
      .object({
        type: z.enum(['user', 'customer', 'system', 'api']).describe('Kind of the sender.'),
        name: z
          .string()
          .nullable()
          .describe(
            'First name of the agent. Null for a customer, because the team may take the visitor for somebody else.',
          ),
      })
      .describe('Sender of the message.'),
    content: z.string().describe('Plain text. HTML of an agent is converted; Markdown stays as written.'),
    contentType: z
      .enum(contentTypes)
      .describe('`text`; with `format=markdown` also `markdown`, where an agent has written so.'),
    attachments: z.array(attachment).describe('Files of the message.'),
    choices: z.array(messageChoice).describe('Replies that the message offers; empty for most.'),
    choice: madeChoice
      .nullable()
      .describe('The choice that the visitor has made by this message; null for any other message.'),
    clientMessageId: z.string().nullable().describe('Id that the visitor’s program chose.'),
    createdAt,
  })
  .meta({ id: 'WidgetMessage', description: 'A message as the visitor sees it.' })
export type WidgetMessage = z.infer<typeof widgetMessage>

export const widgetConversationWithMessage = z
  .object({ ...conversationFields, message: widgetMessage.describe('The first message.') })
  .meta({ id: 'WidgetConversationWithMessage', description: 'A new conversation with its first message.' })

const clientMessageId = requiredText(128).describe(
  'Id that the visitor’s program chose: a repeated request returns the first message with status 200.',
)
const attachments = z
  .array(referenceTo('attachment'))
  .max(attachmentsPerMessageMax)
  .nullable()
  .optional()
  .describe('Ids of files that this session uploaded.')

export const createWidgetConversationBody = z
  .strictObject({
    message: linesOrNone(visitorContentLengthMax).describe(
      'Text of the first message. With `attachments` it may be left out or empty.',
    ),
    clientMessageId,
    subject: optionalText(subjectLengthMax).describe(
      'Subject line. Default: the first line, or the name of the first file, 80 characters.',
    ),
    attachments,
  })
  .meta({ id: 'CreateWidgetConversation', description: 'A conversation that a visitor begins.' })
export type CreateWidgetConversationBody = z.output<typeof createWidgetConversationBody>

export const createWidgetMessageBody = z
  .strictObject({
    content: linesOrNone(visitorContentLengthMax).describe(
      'Text of the message. With `attachments` it may be left out or empty.',
    ),
    choice: choiceOfVisitor,
    clientMessageId,
    attachments,
  })
  .meta({ id: 'CreateWidgetMessage', description: 'A message of a visitor.' })
export type CreateWidgetMessageBody = z.output<typeof createWidgetMessageBody>

export const widgetTypingBody = z
  .strictObject({ isTyping: z.boolean().describe('Whether the visitor types.') })
  .meta({ id: 'WidgetTyping', description: 'A sign that the visitor types or has stopped.' })

export const widgetRatingBody = z
  .strictObject({
    rating: z.int().min(1).max(5).describe('Score.'),
    comment: optionalLines(2_000).describe('Comment.'),
  })
  .meta({ id: 'WidgetRating', description: 'A rating of the conversation. It replaces an earlier one.' })

/** Events of the widget's stream that are stored nowhere. */
export const widgetLiveEvents = ['typing'] as const

export const widgetEvents = ['message.sent', 'message.received', 'conversation.updated'] as const

export const widgetEvent = z
  .object({
    id: ownId('event'),
    event: z.enum(widgetEvents).describe('Event type.'),
    timestamp: z.iso.datetime().describe('Time of the event.'),
    data: z
      .union([widgetMessage, widgetConversation])
      .describe('The message, or for `conversation.updated` the conversation.'),
  })
  .meta({ id: 'WidgetEvent', description: 'An event in a conversation of the visitor.' })
export type WidgetEvent = z.infer<typeof widgetEvent>

export const typingEvent = z
  .object({
    conversationId: z.string().describe('Id of the conversation.'),
    isTyping: z.boolean().describe('Whether the visitor types.'),
  })
  .meta({ id: 'TypingEvent', description: 'A visitor of the chat widget types, or has stopped.' })
export type TypingEvent = z.infer<typeof typingEvent>

/** The sign that somebody of the team writes a reply. Without another one it is over after 8 seconds. */
export interface WidgetTypingEvent {
  event: (typeof widgetLiveEvents)[number]
  /** ISO 8601. */
  timestamp: string
  data: { conversationId: string; isTyping: boolean }
}
