import { forgetEarlierKeys } from '../../main/compose/check-secrets-key.ts'
import { examineDatabase } from '../../main/compose/databases.ts'
import type { Service } from '../../main/compose/service.ts'
import { loadConfig, processVariables } from '../../main/config/config.ts'
import type { Write } from '../../ports/change.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import { createSecretBox } from '../../security/secret-box.ts'
import { VersionConflict } from '../../storage/errors.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { TenantId } from '../../storage/records.ts'
import { CommandError, readArgs, rowOptions, withService } from '../command.ts'
import { type SealedValue, sealedValues } from './count-sealed.ts'

/** Rows that a server changes at the same moment are sealed in a later pass. */
const passesMax = 5

/**
 * Seals every stored secret with the first key of CRM_SECRETS_KEY. Beside a running server, and again after a kill: a text of
 * the first key is left as it is. Only when nothing is left, the earlier keys may go.
 */
export async function resealSecrets(args: string[]): Promise<void> {
  const { values } = readArgs(args, { names: [], options: rowOptions })
  const { databaseUrl, secretsKeys } = loadConfig(processVariables(), { dev: false })
  const secrets = createSecretBox(secretsKeys)
  await withService(async ({ service, print, say }) => {
    let sealed = 0
    for (let pass = 1; ; pass += 1) {
      const { done, left } = await resealOnce(service, { databaseUrl, secrets })
      sealed += done
      if (left === 0 && done === 0) break
      if (pass === passesMax) throw new CommandError(`${left} secrets change all the time: run it again`)
    }
    await forgetEarlierKeys({ storage: service.storage, nowMs: Date.now() })
    print({ sealed })
    say(`${sealed} secrets are sealed anew with the key ${secrets.keyIds[0]}. No other key is needed.`)
  }, values)
}

interface Resealing {
  databaseUrl: string
  secrets: SecretBox
}

async function resealOnce(
  { storage }: Pick<Service, 'storage'>,
  { databaseUrl, secrets }: Resealing,
): Promise<{ done: number; left: number }> {
  const { rows, close } = await examineDatabase(databaseUrl, { isThorough: false })
  if (rows === undefined) throw new CommandError('The database cannot be read: run crm-server doctor')
  let done = 0
  let left = 0
  try {
    for await (const value of sealedValues(rows)) {
      if (value.keyId === secrets.keyIds[0]) continue
      const write = resealWrite(secrets, value)
      try {
        await storage.system.commit(value.row.tenantId as TenantId, { writes: [write], events: [] })
        done += 1
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error
        left += 1
      }
    }
    return { done, left }
  } finally {
    await close()
  }
}

function resealWrite(secrets: SecretBox, { row, sealed, value, keyId }: SealedValue): Write<Kind> {
  const { tenantId, id, version: expectVersion } = row
  const { kind, field } = sealed
  if (!secrets.keyIds.includes(keyId)) {
    throw new CommandError(
      `${kind} ${id} is sealed with the key ${keyId}, which CRM_SECRETS_KEY does not hold: add it behind the current key`,
    )
  }
  const context = { tenantId, id: sealed.contextId(id) }
  const set = { [field]: secrets.seal(secrets.open(value, context), context) }
  return { op: 'update', kind, id, expectVersion, set } as Write<Kind>
}
