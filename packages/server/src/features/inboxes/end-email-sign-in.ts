import { completeEmail, emailWithSignIn, type endEmailSignIn, notFound } from '@crmkit/core'
import { openMailSecrets, sealMailSecrets } from '../../shared/mail-secrets.ts'
import type { Handler } from '../handler.ts'
import { revokeGrant } from './revoke-grant.ts'
import { showInbox } from './show-inbox.ts'

export const handleEndEmailSignIn: Handler<typeof endEmailSignIn> = async (ctx, { params: { id } }) => {
  const { store, now, services } = ctx
  const row = await store.inboxes.find(id)
  if (row === undefined) throw notFound()
  const { grant, ...secrets } = openMailSecrets(services.secrets, row)
  if (grant === undefined) return { reply: { success: true, data: await showInbox(ctx, row) } }
  await revokeGrant(ctx, row)
  const email = emailWithSignIn(completeEmail(row.email), null)
  const set = { email, mailSecrets: sealMailSecrets(services.secrets, row, secrets), updatedAt: now }
  return {
    change: { writes: [{ op: 'update', kind: 'inboxes', id, expectVersion: row.version, set }], events: [] },
    audit: { action: 'inbox.emailCredentialsChanged', target: { type: 'inbox', _id: id } },
    reply: { success: true, data: await showInbox(ctx, { ...row, ...set }) },
  }
}
