import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeCertificate } from '../../../../test/support/https-receiver.ts'
import { runProgram, serverProgram } from '../../../../test/support/programs.ts'
import { spaceFinding } from './check-disk.ts'
import { caFinding } from './check-webhooks.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-doctor-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (args: string[]) => runProgram(serverProgram, args, { env: { CRM_DATA_DIR: dataDir } })
const file = () => path.join(dataDir, 'crm.sqlite')

/** Overwrites the middle of the file, as a failing disk does. */
function damageMiddle(): void {
  const handle = openSync(file(), 'r+')
  for (let page = 20; page < 60; page += 1) writeSync(handle, Buffer.alloc(4096, 0xab), 0, 4096, page * 4096)
  closeSync(handle)
}

test.each([
  ['damaged pages', damageMiddle, /The database file is damaged: \w+/],
  ['no content', () => truncateSync(file()), /is empty, so its content is lost/],
  ['no secrets key', () => rmSync(path.join(dataDir, 'secrets-key')), /The secrets key is missing/],
])(
  'a data directory with %s ends the command with 1 and a mend, and every other check still runs',
  async (_, spoil, sentence) => {
    expect((await run(['tenants', 'create', 'Engines', '--email', 'ada@example.com'])).code).toBe(0)
    spoil()
    const before = readdirSync(dataDir).filter((name) => !/-(wal|shm)$/.test(name))
    const { code, stdout, stderr } = await run(['doctor'])
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toMatch(new RegExp(`^✗ .*${sentence.source}.*\n {10,}\\S`, 'm'))
    for (const subject of ['settings', 'disk', 'secrets', 'redis', 'webhooks'])
      expect(stdout).toMatch(new RegExp(`^[✓!✗] ${subject} `, 'm'))
    expect(readdirSync(dataDir).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(before)
  },
)

test('a data directory that does not exist is not created', async () => {
  rmSync(dataDir, { recursive: true })
  expect((await run(['doctor'])).code).toBe(0)
  expect(existsSync(dataDir)).toBe(false)
})

test.each([
  [50, 'problem'],
  [500, 'warning'],
  [5_000, 'ok'],
])('%d MB of free disk space are: %s', (megabytes, outcome) => {
  expect(spaceFinding('/data', megabytes * 1024 * 1024)).toMatchObject({ outcome })
})

test('a certificate file is well until one of its certificates has expired, or cannot be parsed', async () => {
  const { caFile, remove } = await makeCertificate()
  const yearMs = 365 * 24 * 3_600_000
  expect(caFinding(caFile, Date.now())).toMatchObject({ outcome: 'ok' })
  expect(caFinding(caFile, Date.now() + 100 * yearMs)).toMatchObject({
    outcome: 'problem',
    sentence: expect.stringContaining('holds 1 expired certificates'),
  })
  appendFileSync(caFile, '\n-----BEGIN CERTIFICATE-----\nbm90aGluZw==\n-----END CERTIFICATE-----\n')
  expect(caFinding(caFile, Date.now())).toMatchObject({
    outcome: 'problem',
    sentence: expect.stringContaining('cannot be parsed'),
  })
  remove()
})
