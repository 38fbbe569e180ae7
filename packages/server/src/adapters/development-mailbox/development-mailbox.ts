import { text } from 'node:stream/consumers'
import type { KeptMail, MailSender, OutgoingMail, ProbedStep } from '../../ports/mail-sender.ts'

export interface DevelopmentMailbox extends Pick<MailSender, 'send' | 'probe'> {
  /** Returns the kept mail, the newest first. */
  list(): readonly KeptMail[]
}

const keptMax = 200

/** Keeps the last mails in memory instead of sending them. */
export function createDevelopmentMailbox(nowMs: () => number): DevelopmentMailbox {
  const kept: KeptMail[] = []
  let number = 0
  const keep = async ({ envelope, content }: Pick<OutgoingMail, 'envelope' | 'content'>): Promise<number> => {
    const startedAt = performance.now()
    const raw = await text(content())
    number += 1
    kept.unshift({ number, at: new Date(nowMs()).toISOString(), envelope, raw })
    kept.length = Math.min(kept.length, keptMax)
    return Math.round(performance.now() - startedAt)
  }
  return {
    list: () => kept,
    probe: async (_server, mail) => {
      const connect: ProbedStep = { step: 'connect', ok: true, ms: 0, error: null }
      return mail ? [connect, { step: 'send', ok: true, ms: await keep(mail), error: null }] : [connect]
    },
    send: async (mail) => {
      const durationMs = await keep(mail)
      const response = '250 Kept on this machine'
      const { to } = mail.envelope
      return {
        outcome: 'sent',
        code: 250,
        response,
        recipients: to.map((address) => ({ address, outcome: 'sent', code: 250, text: response })),
        host: 'development',
        durationMs,
      }
    },
  }
}
