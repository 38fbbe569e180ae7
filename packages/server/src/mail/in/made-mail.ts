import type { InboundMailRecord } from '../../storage/kinds/inbound-mails.ts'
import type { MailAddress, MailFacts } from '../parse/mail-facts.ts'
import type { ParsedMail } from '../parser-process/mail-parser.ts'

type MadeMail = Pick<InboundMailRecord, 'from' | 'made' | 'subject' | 'rfcMessageId'>

/** Returns the sender of a mail of which a person has made a conversation: the one that they have named goes first. */
export function madeSender({ from, made }: MadeMail, facts: MailFacts): MailAddress | undefined {
  const known = from === null ? undefined : { address: from, name: made?.senderName ?? null }
  return made?.isSenderGiven ? known : (facts.from[0] ?? known)
}

/** Returns what stands for a mail that cannot be read, in the conversation that a person has made of it. */
export function unreadMail({ subject, rfcMessageId }: MadeMail, why: string): ParsedMail {
  return {
    facts: {
      from: [],
      originalFrom: [],
      replyTo: [],
      forwardedFrom: null,
      to: [],
      cc: [],
      deliveredTo: [],
      subject: subject ?? '',
      messageId: rfcMessageId,
      inReplyTo: [],
      references: [],
      date: null,
      dateText: '',
      automated: false,
      noAutoReply: true,
      loopMarks: [],
      authenticationResults: null,
      bounce: null,
      content: `${why}. An admin can download it as it arrived.`,
      contentType: 'text',
      truncated: true,
      files: [],
    },
    file: () => nothing(),
    quotations: async () => [],
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
