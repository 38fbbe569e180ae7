import type { SecretBox } from '../../ports/secret-box.ts'
import type { Storage } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import type { Records } from '../../storage/kinds/registry.ts'
import type { Stored, TenantId } from '../../storage/records.ts'

/** The id of the setting that holds the check value. */
export const secretsKeyCheck = 'secretsKeyCheck'
const context = { tenantId: '', id: secretsKeyCheck }
const server = '' as TenantId

interface CheckParts {
  storage: Storage
  secrets: SecretBox
  nowMs: number
}

/**
 * Throws when the key is not the one with which this database's secrets were encrypted. Otherwise every earlier webhook
 * would fail one by one, much later. The first start with a database stores a sealed text for this check.
 */
export async function checkSecretsKey(parts: CheckParts): Promise<void> {
  const { storage, secrets } = parts
  const stored = await storage.system.findSetting(secretsKeyCheck)
  if (stored !== undefined) {
    assertOpens(secrets, stored.value)
    await sealAnew(parts, stored)
    return
  }
  const now = isoTime(parts.nowMs)
  const row = { _id: secretsKeyCheck, value: secrets.seal('crmkit', context), createdAt: now, updatedAt: now }
  try {
    await storage.system.commit(server, { writes: [{ op: 'insert', kind: 'settings', row }], events: [] })
  } catch (error) {
    // Another process that starts at this moment was first.
    if (!(error instanceof UniqueConflict)) throw error
    await checkSecretsKey(parts)
  }
}

/** Seals the text with the current key, so that the previous key may be removed from the ring. */
async function sealAnew(
  { storage, secrets, nowMs }: CheckParts,
  stored: Stored<Records['settings']>,
): Promise<void> {
  const value = secrets.seal('crmkit', context)
  if (keyIdOf(value) === keyIdOf(stored.value)) return
  const set = { value, updatedAt: isoTime(nowMs) }
  const update = {
    op: 'update',
    kind: 'settings',
    id: secretsKeyCheck,
    expectVersion: stored.version,
    set,
  } as const
  try {
    await storage.system.commit(server, { writes: [update], events: [] })
  } catch (error) {
    // Another process that starts at this moment has done it.
    if (!(error instanceof VersionConflict)) throw error
  }
}

/** Sealed texts name their key in the second of their three parts. */
export function keyIdOf(sealed: string): string | undefined {
  return sealed.split('.')[1]
}

/** Returns whether the key ring opens the check value of a database. */
export function opensCheck(secrets: SecretBox, sealed: string): boolean {
  try {
    return secrets.open(sealed, context) !== ''
  } catch {
    return false
  }
}

function assertOpens(secrets: SecretBox, sealed: string): void {
  if (!opensCheck(secrets, sealed)) {
    throw new Error(
      'The secrets in this database are encrypted with another key: set CRM_SECRETS_KEY to the key of before, or restore the file secrets-key in CRM_DATA_DIR. To change the key, name both in CRM_SECRETS_KEY, the new one first',
    )
  }
}
