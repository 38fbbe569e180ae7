import type { Write } from '../../ports/change.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { Storage } from '../../ports/storage.ts'
import { keyIdOf } from '../../security/secret-box.ts'
import { isoTime } from '../../shared/clock.ts'
import { UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import type { Kind, Records } from '../../storage/kinds/registry.ts'
import type { Stored, TenantId } from '../../storage/records.ts'

/** The setting with a text that the current key has sealed. */
export const secretsKeyCheck = 'secretsKeyCheck'
/** The setting with such a text of each earlier key, separated by spaces; empty once everything is sealed anew. */
export const earlierSecretsKeys = 'earlierSecretsKeys'

const context = { tenantId: '', id: secretsKeyCheck }
const server = '' as TenantId

interface CheckParts {
  storage: Storage
  secrets: SecretBox
  nowMs: number
}

type Setting = Stored<Records['settings']>

/**
 * Throws when a key is missing with which secrets of this database were sealed. Otherwise every webhook and mailbox of that
 * time would fail one by one, much later. The first start with a database stores a text for this check, the first start
 * with another key keeps the text of the key before, until `crm-server secrets reseal` has sealed everything anew.
 */
export async function checkSecretsKey(parts: CheckParts): Promise<void> {
  const { storage, secrets } = parts
  const [stored, earlier] = await Promise.all([
    storage.system.findSetting(secretsKeyCheck),
    storage.system.findSetting(earlierSecretsKeys),
  ])
  if (stored !== undefined && !opensCheck(secrets, stored.value)) {
    throw new Error(
      'The secrets in this database are encrypted with another key: set CRM_SECRETS_KEY to the key of before, or restore the file secrets-key in CRM_DATA_DIR. To change the key, name both in CRM_SECRETS_KEY, the new one first',
    )
  }
  const [missing] = checkValuesOf(earlier?.value).filter((value) => !opensCheck(secrets, value))
  if (missing !== undefined) {
    throw new Error(
      `Secrets in this database may be sealed with the earlier key ${keyIdOf(missing)}, which CRM_SECRETS_KEY does not hold: add it behind the current key and run crm-server secrets reseal; after that it may go`,
    )
  }
  if (stored !== undefined && keyIdOf(stored.value) === secrets.keyIds[0]) return
  const writes = checkWrites(parts, { stored, earlier })
  try {
    await storage.system.commit(server, { writes, events: [] })
  } catch (error) {
    // Another process that starts at this moment was first.
    if (!(error instanceof UniqueConflict || error instanceof VersionConflict)) throw error
    await checkSecretsKey(parts)
  }
}

/** Returns the writes that make the current key the one of the check, and keep the text of the key before. */
function checkWrites(
  { secrets, nowMs }: CheckParts,
  { stored, earlier }: { stored: Setting | undefined; earlier: Setting | undefined },
): Write<Kind>[] {
  const now = isoTime(nowMs)
  const value = secrets.seal('crmkit', context)
  if (stored === undefined) return [settingWrite(undefined, { id: secretsKeyCheck, value, now })]
  const kept = [...checkValuesOf(earlier?.value), stored.value].filter(
    (text) => keyIdOf(text) !== secrets.keyIds[0],
  )
  return [
    settingWrite(stored, { id: secretsKeyCheck, value, now }),
    settingWrite(earlier, { id: earlierSecretsKeys, value: kept.join(' '), now }),
  ]
}

function settingWrite(
  before: Setting | undefined,
  { id, value, now }: { id: string; value: string; now: string },
): Write<'settings'> {
  if (before === undefined) {
    return { op: 'insert', kind: 'settings', row: { _id: id, value, createdAt: now, updatedAt: now } }
  }
  const set = { value, updatedAt: now }
  return { op: 'update', kind: 'settings', id, expectVersion: before.version, set }
}

/** Forgets the earlier keys: nothing in the database needs them any more. */
export async function forgetEarlierKeys({ storage, nowMs }: Omit<CheckParts, 'secrets'>): Promise<void> {
  const earlier = await storage.system.findSetting(earlierSecretsKeys)
  if (earlier === undefined || earlier.value === '') return
  const write = settingWrite(earlier, { id: earlierSecretsKeys, value: '', now: isoTime(nowMs) })
  await storage.system.commit(server, { writes: [write], events: [] })
}

/** Returns the texts of the setting `earlierSecretsKeys`. */
export function checkValuesOf(setting: string | undefined): string[] {
  return (setting ?? '').split(' ').filter((value) => value !== '')
}

/** Returns whether the key ring opens the check value of a database. */
export function opensCheck(secrets: SecretBox, sealed: string): boolean {
  try {
    return secrets.open(sealed, context) !== ''
  } catch {
    return false
  }
}
