import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { withDatabase } from '../../../../test/support/mongo-database.ts'
import { type MongoSet, startMongoSet } from '../../../../test/support/mongo-set.ts'
import { serverProgram, startProgram } from '../../../../test/support/programs.ts'
import { openMongoStorage } from '../mongo-storage.ts'
import { examineMongo } from './examine-mongo.ts'

/** MongoDB's own default, which the sets of these tests change. */
const lifetimeDefault = { transactionLifetimeLimitSeconds: 60 }

let set: MongoSet
beforeAll(async () => {
  set = await startMongoSet({ members: 1, electionTimeoutMs: 1_000 })
})
afterAll(() => set?.stop())

async function examine(url = set.url) {
  const { findings, close } = await examineMongo(url)
  await close()
  return findings
}

/** The command of an advice, as the driver takes it. */
function parameterOf(advice: string): Record<string, unknown> {
  const [, name = '', value] = /setParameter: 1, (\w+): (\d+) \}\)/.exec(advice) ?? []
  return { [name]: Number(value) }
}

test('a set with the default lifetime of transactions is warned about, until the named command has run', async () => {
  const storage = await openMongoStorage({ url: set.url })
  await storage.migrate()
  await storage.close()
  await set.setParameter(lifetimeDefault)
  const found = (await examine()).filter(({ outcome }) => outcome !== 'ok')
  expect(found).toMatchObject([
    { outcome: 'warning', sentence: expect.stringContaining('has 1 members') },
    { outcome: 'warning', sentence: expect.stringContaining('locked for 60 s') },
  ])
  await set.setParameter(parameterOf(found[1]?.mend ?? ''))
  expect((await examine()).map(({ outcome }) => outcome)).toEqual(['ok', 'warning', 'ok', 'ok', 'ok'])
})

test('the start of a server warns with the command that mends a lifetime of 60 s, and not once it has run', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-advice-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = {
    PORT: '0',
    CRM_DATA_DIR: dataDir,
    CRM_DATABASE_URL: set.url,
    CRM_JWT_SECRET: 'j'.repeat(40),
    CRM_SECRETS_KEY: 's'.repeat(40),
  }
  async function warningsOfStart(): Promise<string[]> {
    const server = await startProgram(serverProgram, ['start'], env)
    await server.kill('SIGTERM')
    const lines = server.stderr().split('\n').filter(Boolean)
    return lines
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ level, msg }) => level === 40 && msg.includes('MongoDB'))
      .map(({ msg }) => msg)
  }
  await set.setParameter(lifetimeDefault)
  const [warning = '', ...others] = await warningsOfStart()
  expect(others).toEqual([])
  expect(parameterOf(warning)).toEqual({ transactionLifetimeLimitSeconds: 5 })
  await set.setParameter(parameterOf(warning))
  expect(await warningsOfStart()).toEqual([])
})

test('an address where no MongoDB listens is a problem that does not repeat its password', async () => {
  const findings = await examine('mongodb://crm:a-password@127.0.0.1:1/crm')
  expect(findings).toMatchObject([
    { outcome: 'problem', sentence: expect.stringContaining('cannot be reached') },
  ])
  expect(JSON.stringify(findings)).not.toContain('a-password')
})

test('a schema of a later version is a problem, and an empty database a warning', async () => {
  const url = set.url.replace('/crmkit?', '/another?')
  expect(await examine(url)).toContainEqual(
    expect.objectContaining({ outcome: 'warning', sentence: expect.stringContaining('no data') }),
  )
  await withDatabase(url, (connection) =>
    connection.collection<{ _id: string }>('serverState').insertOne({ _id: 'schema', version: 999 } as never),
  )
  const later = (await examine(url)).filter(({ outcome }) => outcome === 'problem')
  expect(later).toMatchObject([{ sentence: expect.stringContaining('schema 999') }])
})
