import path from 'node:path'
import { onTestFinished, test } from 'vitest'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import { newFolder } from './support/erasure-run.ts'
import { runRetentionKills } from './support/retention-run.ts'

test('rows that a tenant keeps no longer are erased once, and no others, wherever the job is killed between two rows', {
  timeout: 600_000,
}, async () => {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  await runRetentionKills({
    env: { PORT: '0', CRM_DATA_DIR: folder, CRM_LOG_LEVEL: 'error' },
    open: () => openSqliteStorage({ path: path.join(folder, 'crm.sqlite') }),
    ledger: path.join(folder, 'erasures.ndjson'),
  })
})
