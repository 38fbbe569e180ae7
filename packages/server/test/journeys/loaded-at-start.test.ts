import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startNodeProgram } from '../support/programs.ts'

const source = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Large packages that many servers never need. */
const later = [
  'imapflow',
  'nodemailer',
  'smtp-server',
  'postal-mime',
  'sanitize-html',
  'markdown-it',
  'libphonenumber-js',
  'tar-stream',
  'mongoose',
  'ioredis',
  'bullmq',
]

test('a server on SQLite starts without the packages for mail, HTML, phone numbers and other databases', async () => {
  const loaded = await startedPackages()
  // The report itself works.
  expect(loaded).toContain('server loads zod')
  expect(later.filter((name) => loaded.includes(`server loads ${name}`))).toEqual([])
})

test('a thread of the storage loads its database and no schemas', async () => {
  const loaded = await startedPackages()
  const ofThreads = loaded.filter((line) => line.startsWith('thread'))
  expect(ofThreads).toEqual(['thread loads better-sqlite3'])
})

async function startedPackages(): Promise<string[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-start-'))
  const server = await startNodeProgram({
    file: source('../../src/main/crm-server.ts'),
    args: ['start', '--dev'],
    env: { PORT: '0', CRM_DATA_DIR: dataDir, CRM_LOG_LEVEL: 'error' },
    nodeArgs: ['--import', source('../support/report-loaded.ts')],
  })
  onTestFinished(async () => {
    await server.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  return server.stderr().split('\n')
}
