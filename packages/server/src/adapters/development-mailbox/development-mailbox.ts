import { text } from 'node:stream/consumers'
import type { KeptMail, MailSender } from '../../ports/mail-sender.ts'

export interface DevelopmentMailbox extends Pick<MailSender, 'send'> {
  /** Returns the kept mail, the newest first. */
  list(): readonly KeptMail[]
}

const keptMax = 200

/** Keeps the last mails in memory instead of sending them. */
export function createDevelopmentMailbox(nowMs: () => number): DevelopmentMailbox {
  const kept: KeptMail[] = []
  let number = 0
  return {
    list: () => kept,
    send: async ({ envelope, content }) => {
      const startedAt = performance.now()
      const raw = await text(content())
      number += 1
      kept.unshift({ number, at: new Date(nowMs()).toISOString(), envelope, raw })
      kept.length = Math.min(kept.length, keptMax)
      const response = '250 Kept on this machine'
      return {
        outcome: 'sent',
        code: 250,
        response,
        recipients: envelope.to.map((address) => ({ address, outcome: 'sent', code: 250, text: response })),
        host: 'development',
        durationMs: Math.round(performance.now() - startedAt),
      }
    },
  }
}
