import {
  type EmailCredentialsBody,
  type InboxEmail,
  noEmailSettings,
  notFound,
  type Problem,
  type setEmailCredentials,
  validationFailure,
} from '@crmkit/core'
import { type MailSecrets, openMailSecrets, sealMailSecrets } from '../../shared/mail-secrets.ts'
import { isSendgridKey } from '../../shared/sendgrid-key.ts'
import type { Handler } from '../handler.ts'
import { showInbox } from './show-inbox.ts'

export const handleSetEmailCredentials: Handler<typeof setEmailCredentials> = async (
  ctx,
  { params: { id }, body },
) => {
  const { store, now, services } = ctx
  const row = await store.inboxes.find(id)
  if (row === undefined) throw notFound()
  const { email: before = noEmailSettings } = row
  assertServers(before, body)
  if (Object.keys(body).length === 0) return { reply: { success: true, data: await showInbox(ctx, row) } }
  const secrets = changedSecrets(openMailSecrets(services.secrets, row), body)
  const email: InboxEmail = {
    ...before,
    hasSmtpPassword: secrets.smtpPassword !== undefined,
    hasImapPassword: secrets.imapPassword !== undefined,
    hasMailgunSigningKey: secrets.mailgunSigningKey !== undefined,
    hasSendgridVerificationKey: secrets.sendgridVerificationKey !== undefined,
  }
  const set = { email, mailSecrets: sealMailSecrets(services.secrets, row, secrets), updatedAt: now }
  return {
    change: { writes: [{ op: 'update', kind: 'inboxes', id, expectVersion: row.version, set }], events: [] },
    audit: { action: 'inbox.emailCredentialsChanged', target: { type: 'inbox', _id: id } },
    reply: { success: true, data: await showInbox(ctx, { ...row, ...set }) },
  }
}

/** A password without its server would belong to whichever host is entered next. */
function assertServers({ smtp, imap }: InboxEmail, body: EmailCredentialsBody): void {
  const problems: Problem[] = []
  const refuse = (field: string) =>
    problems.push({ field, message: 'needs its server in the settings first', rule: 'server', in: 'body' })
  if (body.smtpPassword && (smtp?.user ?? null) === null) refuse('smtpPassword')
  if (body.imapPassword && imap === null) refuse('imapPassword')
  if (body.sendgridVerificationKey && !isSendgridKey(body.sendgridVerificationKey)) {
    const message = 'must be the public key that SendGrid shows, in base64'
    problems.push({ field: 'sendgridVerificationKey', message, rule: 'key', in: 'body' })
  }
  if (problems.length > 0) throw validationFailure(problems)
}

function changedSecrets(before: MailSecrets, body: EmailCredentialsBody): MailSecrets {
  const after = { ...before }
  for (const name of [
    'smtpPassword',
    'imapPassword',
    'mailgunSigningKey',
    'sendgridVerificationKey',
  ] as const) {
    const given = body[name]
    if (given === null) delete after[name]
    else if (given !== undefined) after[name] = given
  }
  return after
}
