import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import {
  type deleteDkimKey,
  type InboxEmail,
  type makeDkimKey,
  noEmailSettings,
  notFound,
} from '@crmkit/core'
import { type MailSecrets, openMailSecrets, sealMailSecrets } from '../../shared/mail-secrets.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { Stored } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { getMailInbox } from './mail-of-inbox.ts'
import { showInbox } from './show-inbox.ts'

/** Longer keys do not fit into one record of many providers, and receivers need not check them (RFC 8301). */
const modulusLength = 2048
const generate = promisify(generateKeyPair)

export const handleMakeDkimKey: Handler<typeof makeDkimKey> = async (ctx, { params: { id }, body }) => {
  const { row, email } = await getMailInbox(ctx, id)
  const { publicKey, privateKey } = await generate('rsa', { modulusLength })
  // Another name: receivers know the present key by the present one until its mails have arrived.
  const selector = body.selector || (email.dkim?.selector === 'crm1' ? 'crm2' : 'crm1')
  const dkim = {
    selector,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  }
  const dkimPrivateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const secrets = { ...openMailSecrets(ctx.services.secrets, row), dkimPrivateKey }
  return changed(ctx, { row, email: { ...email, dkim }, secrets, action: 'inbox.dkimKeyMade' })
}

export const handleDeleteDkimKey: Handler<typeof deleteDkimKey> = async (ctx, { params: { id } }) => {
  const row = await ctx.store.inboxes.find(id)
  if (row === undefined) throw notFound()
  const email = { ...noEmailSettings, ...row.email }
  if (email.dkim === null) return { reply: { success: true, data: await showInbox(ctx, row) } }
  const { dkimPrivateKey: _key, ...secrets } = openMailSecrets(ctx.services.secrets, row)
  return changed(ctx, { row, email: { ...email, dkim: null }, secrets, action: 'inbox.dkimKeyDeleted' })
}

interface ChangedKey<A extends string> {
  row: Stored<InboxRecord>
  email: InboxEmail
  secrets: MailSecrets
  action: A
}

async function changed<const A extends string>(
  ctx: HandlerContext,
  { row, email, secrets, action }: ChangedKey<A>,
) {
  const { _id: id, version: expectVersion } = row
  const set = { email, mailSecrets: sealMailSecrets(ctx.services.secrets, row, secrets), updatedAt: ctx.now }
  return {
    change: {
      writes: [{ op: 'update' as const, kind: 'inboxes' as const, id, expectVersion, set }],
      events: [],
    },
    audit: { action, target: { type: 'inbox', _id: id } },
    reply: { success: true as const, data: await showInbox(ctx, { ...row, ...set }) },
  }
}
