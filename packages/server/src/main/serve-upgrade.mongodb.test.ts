import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dropDatabase, newDatabaseUrl, withDatabase } from '../../test/support/mongo-database.ts'
import { runProgram, serverProgram } from '../../test/support/programs.ts'
import { schemaVersion } from '../adapters/mongo/connection/migrate.ts'

test('an upgrade of a MongoDB says when it begins and has ended, and a start without one says nothing', async () => {
  const url = newDatabaseUrl()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-upgrade-'))
  onTestFinished(async () => {
    await dropDatabase(url)
    rmSync(dataDir, { recursive: true })
  })
  const [secret, other] = ['a'.repeat(64), 'b'.repeat(64)]
  const secrets = { CRM_JWT_SECRET: secret, CRM_SECRETS_KEY: other }
  const env = { ...secrets, CRM_DATABASE_URL: url, CRM_DATA_DIR: dataDir }
  const migrate = async () => {
    const { code, stderr } = await runProgram(serverProgram, ['migrate'], { env })
    expect([code, stderr]).toEqual([0, expect.any(String)])
    return stderr
  }
  expect(await migrate()).not.toContain('is upgraded')
  const before = schemaVersion - 1
  await withDatabase(url, async (connection) => {
    const states = connection.collection<{ _id: string; version: number; row: object }>('serverState')
    const set = { version: before, row: { of: before, servedFrom: before } }
    await states.updateOne({ _id: 'schema' }, { $set: set })
  })
  expect(await migrate()).toMatch(
    new RegExp(`is upgraded from schema ${before} to ${schemaVersion}[^]*was upgraded in \\d+ s`),
  )
  expect(await migrate()).not.toContain('is upgraded')
})
