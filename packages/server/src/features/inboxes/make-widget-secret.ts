import { randomBytes } from 'node:crypto'
import { type makeWidgetSecret, notFound, rotatedSecret } from '@crmkit/core'
import { openIdentitySecrets } from '../../shared/identity-secrets.ts'
import type { Handler } from '../handler.ts'
import { showInbox } from './show-inbox.ts'

const prefixLength = 'wis_'.length + 4

/** 256 bits; signatures use the text as it is shown. */
const newIdentitySecret = () => `wis_${randomBytes(32).toString('base64url')}`

export const handleMakeWidgetSecret: Handler<typeof makeWidgetSecret> = async (
  ctx,
  { params: { id }, body },
) => {
  const { store, now, services } = ctx
  const row = await store.inboxes.find(id)
  if (row === undefined) throw notFound()
  const before = openIdentitySecrets(services.secrets, row)
  const making = { secret: newIdentitySecret(), overlapSeconds: body.overlapSeconds, now }
  const after = rotatedSecret(before, making)
  const widget = {
    ...row.widget,
    identitySecretPrefix: after.secret.slice(0, prefixLength),
    previousIdentitySecretExpiresAt: after.previous?.validUntil ?? null,
  }
  const sealed = services.secrets.seal(JSON.stringify(after), { tenantId: row.tenantId, id })
  const set = { widget, sealed, updatedAt: now }
  return {
    change: { writes: [{ op: 'update', kind: 'inboxes', id, expectVersion: row.version, set }], events: [] },
    audit: {
      action: before === undefined ? 'inbox.widgetSecretMade' : 'inbox.widgetSecretRotated',
      target: { type: 'inbox', _id: id },
    },
    reply: { success: true, data: { ...(await showInbox(ctx, { ...row, ...set })), secret: after.secret } },
  }
}
