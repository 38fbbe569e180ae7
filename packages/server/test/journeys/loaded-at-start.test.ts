import { expect, test } from 'vitest'
import { startObserved } from '../support/start-observed.ts'

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
  const server = await startObserved('report-loaded.ts')
  return server.stderr().split('\n')
}
