import { type EmailTest, Failure, noEmailSettings, notFound, type testEmail } from '@crmkit/core'
import { mailboxOfInbox } from '../../mail/addresses/mailbox-of-inbox.ts'
import { serverOfInbox } from '../../mail/addresses/server-of-inbox.ts'
import { composeTestMail } from '../../mail/out/compose-test-mail.ts'
import type { Write } from '../../ports/change.ts'
import type { ProbedStep } from '../../ports/mail-sender.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { Stored } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'

type TestedStep = EmailTest['steps'][number]

/** Connects by itself, because the reply is the result. A server that lets the inbox in ends the waiting of its mail. */
export const handleTestEmail: Handler<typeof testEmail> = async (ctx, { params: { id }, body }) => {
  const row = await ctx.store.inboxes.find(id)
  if (row === undefined) throw notFound()
  const { transport, imap } = row.email ?? noEmailSettings
  if (transport === 'none' && imap === null)
    throw new Failure(
      'INVALID_STATE',
      'The inbox has no mail server: set email.transport or email.imap first',
    )
  const [received, sent] = await Promise.all([
    imap === null ? [] : testMailbox(ctx, row),
    transport === 'none' ? [] : testTransport(ctx, row, body.to ?? null),
  ])
  const steps = [...received, ...sent]
  const writes = sent.length > 0 && sent.every(({ ok }) => ok) ? reachedWrites(row, ctx.now) : []
  return {
    reply: { success: true, data: { ok: steps.every(({ ok }) => ok), steps } },
    ...(writes.length > 0 && { change: { writes, events: [] } }),
  }
}

function reachedWrites(row: Stored<InboxRecord>, now: string): Write<'inboxes'>[] {
  const { _id: id, version: expectVersion, email } = row
  if (email?.transport !== 'smtp' || email.smtp === null || email.smtp.status.ok !== false) return []
  const status = { ok: true, checkedAt: now, error: null, nextTryAt: null }
  const set = { email: { ...email, smtp: { ...email.smtp, status } } }
  return [{ op: 'update', kind: 'inboxes', id, expectVersion, set }]
}

async function testMailbox({ services }: HandlerContext, row: InboxRecord): Promise<TestedStep[]> {
  const server = mailboxOfInbox(row, services.secrets)
  const error = 'The password of the mailbox is not set.'
  const steps: ProbedStep[] =
    server === undefined
      ? [{ step: 'sign_in', ok: false, ms: 0, error }]
      : await services.mailSource.probe(server)
  return steps.map((step) => ({ server: 'imap', ...step }))
}

async function testTransport(
  { services, ids, now }: HandlerContext,
  row: InboxRecord,
  to: string | null,
): Promise<TestedStep[]> {
  const { mail, secrets, mailSender } = services
  const server = serverOfInbox({ inbox: row, secrets, mail })
  if (server === undefined)
    throw new Failure(
      'SERVICE_UNAVAILABLE',
      'This installation has no mail relay: its operator sets CRM_SMTP_URL',
    )
  const outgoing =
    to === null ? undefined : composeTestMail({ inbox: row, mail, secrets, to, now, id: ids.next('sml') })
  const steps = await mailSender.probe(server, outgoing)
  const isRelay = row.email?.transport === 'relay'
  return steps.map((step) => ({ server: 'smtp', ...(isRelay ? withoutRelay(step) : step) }))
}

/** The relay is the operator's: its address and its words are not for every tenant. */
function withoutRelay(step: ProbedStep): ProbedStep {
  const error = step.ok ? null : 'The relay of this installation failed at this step: ask its operator.'
  return { ...step, error }
}
