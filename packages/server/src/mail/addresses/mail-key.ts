import { randomBytes } from 'node:crypto'
import type { Write } from '../../ports/change.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { mailKeyId } from '../../storage/kinds/mail-keys.ts'
import { createMailTags, type MailTags, mailKeyBytes } from './mail-tags.ts'

/** Returns the tags of a tenant; undefined before an inbox of it has an address. */
export async function findMailTags(
  store: Pick<TenantReads, 'mailKeys'>,
  secrets: SecretBox,
): Promise<MailTags | undefined> {
  const row = await store.mailKeys.find(mailKeyId)
  if (row === undefined) return undefined
  const sealedFor = { tenantId: row.tenantId, id: mailKeyId }
  return createMailTags(Buffer.from(secrets.open(row.sealed, sealedFor), 'base64url'))
}

/** Returns the write that makes the key of a tenant. Of two at the same time one conflicts and then finds the other. */
export function mailKeyWrite(
  secrets: SecretBox,
  { tenantId, now }: { tenantId: string; now: string },
): Write<'mailKeys'> {
  const key = randomBytes(mailKeyBytes).toString('base64url')
  const sealed = secrets.seal(key, { tenantId, id: mailKeyId })
  const row = { _id: mailKeyId, tenantId, sealed, createdAt: now, updatedAt: now }
  return { op: 'insert', kind: 'mailKeys', row }
}
