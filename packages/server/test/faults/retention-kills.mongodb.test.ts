import path from 'node:path'
import { onTestFinished, test } from 'vitest'
import { openMongoStorage } from '../../src/adapters/mongo/mongo-storage.ts'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { newFolder } from './support/erasure-run.ts'
import { runRetentionKills } from './support/retention-run.ts'

test('on MongoDB rows that a tenant keeps no longer are erased once, and no others, wherever the job is killed between two rows', {
  timeout: 600_000,
}, async () => {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  const ledger = path.join(folder, 'erasures.ndjson')
  await runRetentionKills({
    env: {
      PORT: '0',
      CRM_DATA_DIR: folder,
      CRM_DATABASE_URL: url,
      CRM_ERASURE_LEDGER: ledger,
      CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
      CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
      CRM_LOG_LEVEL: 'error',
    },
    open: () => openMongoStorage({ url }),
    ledger,
  })
})
