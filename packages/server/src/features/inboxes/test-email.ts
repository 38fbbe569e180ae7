import { type EmailTest, Failure, noEmailSettings, notFound, type testEmail } from '@crmkit/core'
import { mailboxOfInbox } from '../../mail/addresses/mailbox-of-inbox.ts'
import { orMailboxFailure } from '../../mail/addresses/or-mailbox-failure.ts'
import { serverOfInbox } from '../../mail/addresses/server-of-inbox.ts'
import { composeTestMail } from '../../mail/out/compose-test-mail.ts'
import type { Write } from '../../ports/change.ts'
import type { ProbedStep } from '../../ports/mail-sender.ts'
import { MailboxFailure } from '../../ports/mail-source.ts'
import { doorWrites } from '../../shared/note-door.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { Stored } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { proposeAuthservIds } from './propose-authserv-ids.ts'

type TestedStep = EmailTest['steps'][number]

/** Connects by itself, because the reply is the result. A server that lets the inbox in ends the waiting of its mail. */
export const handleTestEmail: Handler<typeof testEmail> = async (ctx, { params: { id }, body }) => {
  const row = await ctx.store.inboxes.find(id)
  if (row === undefined) throw notFound()
  const { transport, imap } = row.email ?? noEmailSettings
  // A token that its provider has ended early is not tried again.
  ctx.services.mailTokens.forget(row)
  if (transport === 'none' && imap === null)
    throw new Failure(
      'INVALID_STATE',
      'The inbox has no mail server: set email.transport or email.imap first',
    )
  const [received, sent, authservIds] = await Promise.all([
    imap === null ? [] : testMailbox(ctx, row),
    transport === 'none' ? [] : testTransport(ctx, row, body.to ?? null),
    proposeAuthservIds(ctx, row),
  ])
  const steps = [...received, ...sent]
  const isReached = sent.length > 0 && sent.every(({ ok }) => ok)
  const noted = { trouble: null, now: ctx.now }
  const writes: Write[] = isReached
    ? [...reachedWrites(row, ctx.now), ...(await doorWrites(ctx.store, { door: 'server', of: id }, noted))]
    : []
  return {
    reply: { success: true, data: { ok: steps.every(({ ok }) => ok), steps, proposals: { authservIds } } },
    ...(writes.length > 0 && { change: { writes, events: [] } }),
  }
}

function reachedWrites(row: Stored<InboxRecord>, now: string): Write<'inboxes'>[] {
  const { _id: id, version: expectVersion, email } = row
  if (email?.transport !== 'smtp' || email.smtp === null || email.smtp.status.ok !== false) return []
  const status = { ok: true, checkedAt: now, error: null, reauthRequired: false, nextTryAt: null }
  const set = { email: { ...email, smtp: { ...email.smtp, status } } }
  return [{ op: 'update', kind: 'inboxes', id, expectVersion, set }]
}

async function testMailbox({ services, tenantId }: HandlerContext, row: InboxRecord): Promise<TestedStep[]> {
  const server = await orMailboxFailure(mailboxOfInbox(row, { ...services, tenantId }))
  const steps =
    server instanceof MailboxFailure
      ? [failedSignIn(server.message)]
      : server === undefined
        ? [failedSignIn('The password of the mailbox is not set.')]
        : await services.mailSource.probe(server)
  return steps.map((step) => ({ server: 'imap', ...step }))
}

async function testTransport(
  { services, tenantId, ids, now }: HandlerContext,
  row: InboxRecord,
  to: string | null,
): Promise<TestedStep[]> {
  const { mail, secrets, mailSender, mailTokens } = services
  const server = await orMailboxFailure(serverOfInbox({ tenantId, inbox: row, secrets, mail, mailTokens }))
  if (server instanceof MailboxFailure) return [{ server: 'smtp', ...failedSignIn(server.message) }]
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

const failedSignIn = (error: string): ProbedStep => ({ step: 'sign_in', ok: false, ms: 0, error })

/** The relay is the operator's: its address and its words are not for every tenant. */
function withoutRelay(step: ProbedStep): ProbedStep {
  const error = step.ok ? null : 'The relay of this installation failed at this step: ask its operator.'
  return { ...step, error }
}
