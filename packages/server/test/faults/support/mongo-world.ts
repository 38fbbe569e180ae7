import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withDatabase } from '../../support/mongo-database.ts'
import type { FaultWorld } from './worlds.ts'

/** A MongoDB database that nothing else uses, and a Redis where there are several roles. The caller stops both. */
export function mongoWorld({ url, redisUrl }: { url: string; redisUrl?: string }): FaultWorld {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-faults-'))
  return {
    name: redisUrl === undefined ? 'mongodb' : 'mongodb and redis',
    variables: {
      CRM_DATA_DIR: dataDir,
      CRM_DATABASE_URL: url,
      ...(redisUrl !== undefined && { CRM_REDIS_URL: redisUrl }),
      CRM_JWT_SECRET: 'the fault runs sign the tokens of sessions with this',
      CRM_SECRETS_KEY: 'the fault runs seal the secrets of webhooks with this',
    },
    integrityProblems: () => findHalves(url),
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

/**
 * Finds contradictions: each pending attempt has the row by which it is found when it is due, and no other attempt
 * has one.
 */
function findHalves(url: string): Promise<string[]> {
  return withDatabase(url, async (connection) => {
    const idsOf = async (name: string, filter: object) => {
      const rows = await connection.collection(name).find(filter).project({ _id: 1 }).toArray()
      return new Set(rows.map(({ _id }) => String(_id)))
    }
    const pending = await idsOf('attempts', { 'row.status': 'pending' })
    const due = await idsOf('dueAttempts', {})
    return [
      ...[...pending].filter((id) => !due.has(id)).map((id) => `${id} is pending and never due`),
      ...[...due].filter((id) => !pending.has(id)).map((id) => `${id} is due and not pending`),
    ]
  })
}
