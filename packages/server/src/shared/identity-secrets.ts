import { hash } from 'node:crypto'
import type { RotatingSecret } from '@crmkit/core'
import type { SecretBox } from '../ports/secret-box.ts'
import type { InboxRecord } from '../storage/kinds/inboxes.ts'

/** Returns undefined before the first secret. Throws when the row was changed outside the service or its key is missing. */
export function openIdentitySecrets(
  box: SecretBox,
  { tenantId, _id, sealed }: InboxRecord,
): RotatingSecret | undefined {
  return sealed === undefined ? undefined : JSON.parse(box.open(sealed, { tenantId, id: _id }))
}

/** Returns the secrets that sign visitors in at this moment: two during a rotation. */
export function validSecrets(rotating: RotatingSecret | undefined, now: string): string[] {
  if (rotating === undefined) return []
  const { secret, previous } = rotating
  return previous !== undefined && previous.validUntil > now ? [secret, previous.secret] : [secret]
}

/** Returns the name of a secret in the sessions that it opened. It has 256 random bits, so a plain hash hides it. */
export function secretHashOf(secret: string): string {
  return hash('sha256', secret)
}
