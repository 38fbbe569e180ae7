import {
  checkValuesOf,
  earlierSecretsKeys,
  opensCheck,
  secretsKeyCheck,
} from '../../main/compose/check-secrets-key.ts'
import type { ExaminedRows, Finding } from '../../ports/diagnosis.ts'
import { createSecretBox } from '../../security/secret-box.ts'
import { rowsOf } from '../../shared/rows-of.ts'
import { countSealed, describeCounts } from '../secrets/count-sealed.ts'
import type { Check, Examined } from './check.ts'

/** The most rows of a kind whose keys are counted without `--all`. */
const sampleMax = 10_000

/** Returns a setting of the server by its name; undefined before it was set. */
export async function findSetting(rows: ExaminedRows, name: string): Promise<string | undefined> {
  for await (const { id, record } of rowsOf(rows, 'settings')) if (id === name) return String(record['value'])
  return undefined
}

/** Returns the check value that the secrets key of the database has sealed; undefined when there is none. */
function findCheckValue(rows: ExaminedRows): Promise<string | undefined> {
  return findSetting(rows, secretsKeyCheck)
}

/** Returns the check values of all keys that something in the database may be sealed with. */
export async function findCheckValues(rows: ExaminedRows): Promise<string[]> {
  const current = await findCheckValue(rows)
  return [
    ...(current === undefined ? [] : [current]),
    ...checkValuesOf(await findSetting(rows, earlierSecretsKeys)),
  ]
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
const reseal = 'Run crm-server secrets reseal; after that only the first key of CRM_SECRETS_KEY is needed'

async function secretsKeyFindings({ config, database, isThorough }: Examined): Promise<Finding[]> {
  const { rows } = database
  const hasKey = config.secretsKeys.length > 0
  const [current] = rows === undefined ? [] : await findCheckValues(rows)
  if (rows === undefined || current === undefined) {
    const sentence = hasKey
      ? 'The secrets key is present; the database holds nothing to compare it with yet.'
      : 'The first start generates the secrets key.'
    return [{ outcome: 'ok', sentence }]
  }
  if (!hasKey) {
    const sentence = 'The secrets key is missing: the webhook secrets in the database cannot be opened.'
    return [{ outcome: 'problem', sentence, mend: earlierKey }]
  }
  const secrets = createSecretBox(config.secretsKeys)
  if (!opensCheck(secrets, current)) {
    const sentence = 'The secrets in the database are encrypted with another secrets key.'
    return [{ outcome: 'problem', sentence, mend: earlierKey }]
  }
  const found = await sealedFindings(rows, {
    keyIds: secrets.keyIds,
    rowsMax: isThorough ? Number.POSITIVE_INFINITY : sampleMax,
  })
  if (found.length > 0) return found
  return [{ outcome: 'ok', sentence: 'The secrets key opens the secrets in the database.' }]
}

/** Returns a finding for each key that has sealed something and is not the current one: a check value stands for itself alone. */
async function sealedFindings(
  rows: ExaminedRows,
  { keyIds, rowsMax }: { keyIds: readonly string[]; rowsMax: number },
): Promise<Finding[]> {
  const counts = await countSealed(rows, rowsMax)
  return [...counts].flatMap(([keyId, ofKey]): Finding[] => {
    if (keyId === keyIds[0]) return []
    const subject = `Secrets (${describeCounts(ofKey)}) are sealed with the earlier key ${keyId}`
    if (keyIds.includes(keyId)) return [{ outcome: 'warning', sentence: `${subject}.`, mend: reseal }]
    return [
      {
        outcome: 'problem',
        sentence: `${subject}, which CRM_SECRETS_KEY does not hold: they cannot be opened.`,
        mend: `Add the earlier key to CRM_SECRETS_KEY, behind the current one. ${reseal}`,
      },
    ]
  })
}

export const checkSecrets: Check = {
  subject: 'secrets',
  readsRows: true,
  run: async (examined) => [jwtFinding(examined), ...(await secretsKeyFindings(examined))],
}
