import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMongoStorage } from '../../src/adapters/mongo/mongo-storage.ts'
import { dropDatabase, newDatabaseUrl, withDatabase } from '../support/mongo-database.ts'
import { runProgram, serverProgram } from '../support/programs.ts'
import { newFolder } from './support/erasure-run.ts'
import { runRestore } from './support/restore-run.ts'

/** Every document of a database. */
function textOf(url: string): Promise<string> {
  return withDatabase(url, async ({ db }) => {
    const collections = (await db?.collections()) ?? []
    const documents = await Promise.all(collections.map((collection) => collection.find().toArray()))
    return JSON.stringify(documents)
  })
}

test('a database of before on MongoDB brings no erased person back, wherever its first start is killed', {
  timeout: 1_800_000,
}, async () => {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  const urls = { live: newDatabaseUrl(), backup: newDatabaseUrl(), restored: newDatabaseUrl() }
  onTestFinished(async () => void (await Promise.all(Object.values(urls).map(dropDatabase))))
  const ledger = path.join(folder, 'erasures.ndjson')
  const environment = (url: string) => ({
    PORT: '0',
    CRM_DATA_DIR: folder,
    CRM_DATABASE_URL: url,
    CRM_ERASURE_LEDGER: ledger,
    CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
    CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
    CRM_LOG_LEVEL: 'warn',
  })
  const copy = async (from: string, to: string) => {
    const { code, stderr } = await runProgram(serverProgram, ['copy', '--from', from, '--to', to])
    expect([code, stderr]).toEqual([0, stderr])
  }
  const restored = environment(urls.restored)
  await runRestore({
    live: environment(urls.live),
    restored,
    ledger,
    backUp: () => copy(urls.live, urls.backup),
    async restore(env) {
      await copy(urls.backup, urls.restored)
      return runProgram(serverProgram, ['start', '--dev'], { env: { ...restored, ...env } })
    },
    openRestored: () => openMongoStorage({ url: urls.restored }),
    textOfRestored: () => textOf(urls.restored),
  })
})
