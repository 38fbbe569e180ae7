import { Failure, type testEmail } from '@crmkit/core'
import { composeTestMail } from '../../mail/compose-test-mail.ts'
import { serverOfInbox } from '../../mail/server-of-inbox.ts'
import type { ProbedStep } from '../../ports/mail-sender.ts'
import type { Handler } from '../handler.ts'
import { getMailInbox } from './mail-of-inbox.ts'

/** Connects by itself, because the reply is the result; there is no change to commit. */
export const handleTestEmail: Handler<typeof testEmail> = async (ctx, { params: { id }, body }) => {
  const { services, ids, now } = ctx
  const { mail, secrets, mailSender } = services
  const { row, email } = await getMailInbox(ctx, id)
  if (email.transport === 'none')
    throw new Failure('INVALID_STATE', 'The inbox sends no e-mail: set email.transport first')
  const server = serverOfInbox({ inbox: row, secrets, mail })
  if (server === undefined)
    throw new Failure(
      'SERVICE_UNAVAILABLE',
      'This installation has no mail relay: its operator sets CRM_SMTP_URL',
    )
  const to = body.to ?? null
  const outgoing =
    to === null ? undefined : composeTestMail({ inbox: row, mail, secrets, to, now, id: ids.next('sml') })
  const steps = await mailSender.probe(server, outgoing)
  const shown = email.transport === 'relay' ? steps.map(withoutRelay) : steps
  return { reply: { success: true, data: { ok: shown.every(({ ok }) => ok), steps: shown } } }
}

/** The relay is the operator's: its address and its words are not for every tenant. */
function withoutRelay(step: ProbedStep): ProbedStep {
  const error = step.ok ? null : 'The relay of this installation failed at this step: ask its operator.'
  return { ...step, error }
}
