import type { ExaminedRows, Finding } from '../../../ports/diagnosis.ts'
import type { RowRef } from '../../../ports/storage-transfer.ts'
import { createSecretBox } from '../../../security/secret-box.ts'
import { opensCheck, secretsKeyCheck } from '../../compose/check-secrets-key.ts'
import type { Check, Examined } from './check.ts'

/** Returns the check value that the secrets key of the database has sealed; undefined when there is none. */
export async function findCheckValue(rows: ExaminedRows): Promise<string | undefined> {
  let after: RowRef | null = null
  for (;;) {
    const page = await rows.readPage('settings', after)
    const found = page.find(({ id }) => id === secretsKeyCheck)
    if (found !== undefined) return String(found.record['value'])
    const last = page.at(-1)
    if (last === undefined) return undefined
    after = last
  }
}

function jwtFinding({ config, database }: Examined): Finding {
  if (config.jwtSecrets.length > 0)
    return { outcome: 'ok', sentence: 'The secret that signs access tokens is present.' }
  if (database.rows === undefined)
    return { outcome: 'ok', sentence: 'The first start generates the secret that signs access tokens.' }
  return {
    outcome: 'warning',
    sentence:
      'The secret that signs access tokens is missing: the next start generates another one, and every session and invitation ends.',
    mend: 'Restore the file jwt-secret of the data directory, or set CRM_JWT_SECRET as before',
  }
}

const earlierKey =
  'Set CRM_SECRETS_KEY to the earlier key, or restore the file secrets-key of the data directory'

async function secretsKeyFinding({ config, database }: Examined): Promise<Finding> {
  const sealed = database.rows && (await findCheckValue(database.rows))
  const hasKey = config.secretsKeys.length > 0
  if (sealed === undefined) {
    return {
      outcome: 'ok',
      sentence: hasKey
        ? 'The secrets key is present; the database holds nothing to compare it with yet.'
        : 'The first start generates the secrets key.',
    }
  }
  if (!hasKey) {
    return {
      outcome: 'problem',
      sentence: 'The secrets key is missing: the webhook secrets in the database cannot be opened.',
      mend: earlierKey,
    }
  }
  if (opensCheck(createSecretBox(config.secretsKeys), sealed))
    return { outcome: 'ok', sentence: 'The secrets key opens the secrets in the database.' }
  return {
    outcome: 'problem',
    sentence: 'The secrets in the database are encrypted with another secrets key.',
    mend: earlierKey,
  }
}

export const checkSecrets: Check = {
  subject: 'secrets',
  run: async (examined) => [jwtFinding(examined), await secretsKeyFinding(examined)],
}
