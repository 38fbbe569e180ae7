import { z } from 'zod'
import { rule } from '../shared/rule.ts'
import { requiredText } from '../shared/text.ts'

/** The texts of the chat widget that an inbox may replace, in every language. */
export const widgetTextKeys = [
  'openChat',
  'close',
  'chat',
  'unreadOne',
  'unread',
  'messages',
  'message',
  'placeholder',
  'send',
  'attach',
  'remove',
  'download',
  'showPicture',
  'closePicture',
  'you',
  'agent',
  'earlier',
  'newMessages',
  'conversations',
  'newConversation',
  'online',
  'replyMinutes',
  'replyHours',
  'replyDay',
  'away',
  'closed',
  'typing',
  'sending',
  'waiting',
  'crowded',
  'signIn',
  'failed',
  'retry',
  'discard',
  'tooLong',
  'tooLarge',
  'tooMany',
  'downloadFailed',
  'rate',
  'stars',
  'comment',
  'sendRating',
  'thanks',
  'ratingFailed',
  'emailQuestion',
  'email',
  'saveEmail',
  'skip',
  'emailSaved',
  'sendTranscript',
  'transcriptSent',
  'transcriptLater',
  'transcriptFailed',
] as const
const textsMax = 50
const textLengthMax = 200

const known: readonly string[] = widgetTextKeys

export const widgetTexts = z
  .record(z.string().max(64), requiredText(textLengthMax))
  .superRefine((texts, context) => {
    for (const key of Object.keys(texts).filter((name) => !known.includes(name)))
      context.addIssue({
        code: 'custom',
        path: [key],
        message: 'is not a text of the widget',
        params: { rule: 'unknown_field' },
      })
  })
  .refine(
    (texts) => Object.keys(texts).length <= textsMax,
    rule('max', `must have at most ${textsMax} texts`),
  )

/** Texts in a response, which a request has checked. */
export const storedWidgetTexts = z.record(z.string(), z.string())
