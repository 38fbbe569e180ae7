import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import { runProgram, serverProgram } from '../support/programs.ts'
import { copySecrets, newFolder, textOfFolder } from './support/erasure-run.ts'
import { runRestore } from './support/restore-run.ts'

test('a restore of a backup of before brings no erased person back, wherever it is killed', {
  timeout: 1_800_000,
}, async () => {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  const at = (name: string) => path.join(folder, name)
  const environment = (data: string) => ({ PORT: '0', CRM_DATA_DIR: at(data), CRM_LOG_LEVEL: 'warn' })
  const run = (data: string, args: string[], env = {}) =>
    runProgram(serverProgram, args, { env: { ...environment(data), ...env } })
  await runRestore({
    live: environment('live'),
    restored: environment('restored'),
    ledger: at('live/erasures.ndjson'),
    async backUp() {
      expect((await run('live', ['backup', at('backup.tar')])).code).toBe(0)
    },
    restore(env) {
      copySecrets(at('live'), at('restored'))
      return run('restored', ['restore', at('backup.tar'), '--ledger', at('live/erasures.ndjson')], env)
    },
    openRestored: () => openSqliteStorage({ path: at('restored/crm.sqlite') }),
    textOfRestored: async () => textOfFolder(at('restored')),
  })
})
