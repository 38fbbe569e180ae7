import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PackageKind } from '@crmkit/core/package'
import { openPackage } from '@crmkit/core/package-folder'
import { beforeAll, describe, expect, it } from 'vitest'
import { dumpOf, keyOf } from '../../../examples/chatwoot-emulator/src/dump-of.ts'
import { type Emulator, startEmulator } from '../../../examples/chatwoot-emulator/src/start-emulator.ts'
import { bytesOf } from '../../../examples/zendesk-emulator/src/account.ts'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { newFolder, recordsOf, runKilled } from './support/reader-process.ts'
import { makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()
const machine = makeMachine(atEnd)
let emulator: Emulator
let dump: string
let storage: string
let folder: string
beforeAll(async () => {
  emulator = await startEmulator({ conversations: 40, messages: 14 })
  atEnd(() => emulator.close())
  dump = join(machine.directory, 'chatwoot.sql')
  storage = join(machine.directory, 'storage')
  writeFileSync(dump, dumpOf(emulator.account))
  for (let id = 4; id <= 40; id += 4) {
    const file = join(storage, 'ab', 'ke', keyOf(id * 1_000))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytesOf(`t${id * 1_000}`))
  }
  folder = join(machine.directory, 'of-dump')
  expect(await read(folder, '--storage', storage)).toEqual([0, ''])
})

const argsOf = (into: string, file = dump) => [
  'migrate',
  'chatwoot',
  into,
  '--url',
  emulator.url,
  '--account',
  emulator.accountId,
  '--dump',
  file,
]
const env = () => ({ CRM_CONNECTOR_HOSTS: emulator.host })

/** Reads the dump, without a token; returns the exit code and the error. */
async function read(into: string, ...further: string[]): Promise<[number | null, string]> {
  const { code, stderr } = await machine.run([...argsOf(into), ...further], { env: env() })
  return [code, code === 0 ? '' : stderr]
}

async function refusalOf(text: string, ...further: string[]): Promise<string> {
  const file = join(machine.directory, `${crypto.randomUUID()}.sql`)
  writeFileSync(file, text)
  const run = await machine.run([...argsOf(newFolder(), file), ...further], { env: env() })
  expect(run.code).toBe(2)
  return run.stderr
}

const kinds: readonly PackageKind[] = [
  'agents',
  'inboxes',
  'labels',
  'replies',
  'people',
  'conversations',
  'messages',
  'notes',
  'ratings',
  'attachments',
]

const sorted = async (of: string, kind: PackageKind) =>
  (await recordsOf(of, kind)).map((record) => JSON.stringify(record)).sort()

describe('crm migrate chatwoot --dump', () => {
  it('makes the same records of the database as of the account itself', async () => {
    const ofAccount = newFolder()
    const args = argsOf(ofAccount).slice(0, -2)
    const whole = { ...env(), CRM_MIGRATE_TOKEN: emulator.token }
    expect((await machine.run(args, { env: whole })).code).toBe(0)
    await (await openPackage(folder)).verify()
    for (const kind of kinds) {
      const records = await sorted(folder, kind)
      expect(records.length, kind).toBeGreaterThan(0)
      expect(records, kind).toEqual(await sorted(ofAccount, kind))
    }
    const source = async (of: string) => (await openPackage(of)).manifest.source
    expect(await source(folder)).toEqual(await source(ofAccount))
  })

  it('keeps the messages of a conversation together, the oldest first', async () => {
    const messages = await recordsOf(folder, 'messages')
    const order = messages.map(({ conversationId }) => conversationId)
    const begins = order.filter((id, at) => id !== order[at - 1])
    expect(begins.length).toBe(new Set(order).size)
    const ofOne = messages.filter(({ conversationId }) => conversationId === '3')
    expect(ofOne.length).toBeGreaterThan(5)
    expect(ofOne).toEqual(ofOne.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)))
  })

  it('takes nothing of another account along, and no secret, and leaves no copy of the dump', async () => {
    const names = await readdir(folder)
    expect(names.filter((name) => name.startsWith('.reader.source'))).toEqual([])
    for (const name of names.filter((one) => one.endsWith('json'))) {
      const text = await readFile(join(folder, name), 'utf8')
      for (const foreign of ['another account', 'imap-secret', 'smtp-secret', 'dumped-'])
        expect(text).not.toContain(foreign)
    }
  })

  it('names the files as missing without their folder, and those that are not in it', async () => {
    const without = newFolder()
    expect(await read(without)).toEqual([0, ''])
    for (const { missing } of await recordsOf(without, 'attachments'))
      expect(missing).toContain('--storage names their folder')
    const empty = newFolder()
    expect(await read(empty, '--storage', machine.directory)).toEqual([0, ''])
    const [file] = await recordsOf(empty, 'attachments')
    expect(file).toMatchObject({ missing: 'it is not in the folder of --storage', filename: 'my report.pdf' })
  })

  it('goes on after kills, and doubles nothing', async () => {
    const into = newFolder()
    const begun = () => {
      try {
        return JSON.parse(readFileSync(join(into, '.reader.json'), 'utf8')).step >= 2
      } catch {
        return false
      }
    }
    const isDivided = () => existsSync(join(into, '.reader.source'))
    expect(await runKilled(argsOf(into), { env: env(), isTime: isDivided })).toBe(true)
    await runKilled(argsOf(into), { env: env(), isTime: begun })
    expect(await read(into)).toEqual([0, ''])
    const counts = async (of: string) => (await openPackage(of)).manifest.counts
    expect(await counts(into)).toEqual(await counts(folder))
  })

  it('is followed by a pass that reads from the account what changed after the newest message of the dump', async () => {
    const into = newFolder()
    expect(await read(into)).toEqual([0, ''])
    const { madeAt } = (await openPackage(into)).manifest
    const newest = (await recordsOf(into, 'messages'))
      .map(({ createdAt }) => createdAt)
      .sort()
      .at(-1)
    expect(madeAt >= (newest ?? '')).toBe(true)
    expect(madeAt < new Date(Date.now() - 86_400_000).toISOString()).toBe(true)
    emulator.account.write(2, 'Written after the dump')
    const args = [...argsOf(into).slice(0, -2), '--sync']
    const { code } = await machine.run(args, { env: { ...env(), CRM_MIGRATE_TOKEN: emulator.token } })
    expect(code).toBe(0)
    const later = await recordsOf(join(into, 'sync-0001'), 'messages')
    expect(later.map(({ content }) => content)).toContain('Written after the dump')
  })

  it.each([
    ['a dump of another form', 'PGDMP\u0001binary\n', 'pg_dump --format=plain'],
    ['a dump with INSERT', 'INSERT INTO public.contacts VALUES (1);\n', 'without --inserts'],
    ['another encoding', "SET client_encoding = 'LATIN1';\n", '--encoding=UTF8'],
    ['a database of another program', 'COPY public.films (id) FROM stdin;\n1\n\\.\n', 'no table accounts'],
    ['a dump that was cut', 'COPY public.accounts (id, name) FROM stdin;\n7\tAcme\n', 'ends within'],
    [
      'a row that lost a column',
      'COPY public.accounts (id, name) FROM stdin;\n7\n\\.\n',
      'number of columns',
    ],
  ])('refuses %s in words', async (_, text, words) => {
    expect(await refusalOf(text)).toContain(words)
  })

  it('refuses an account that is not in the dump, --sync with it, and files without it', async () => {
    const other = argsOf(newFolder()).map((arg) => (arg === emulator.accountId ? '5' : arg))
    const run = await machine.run(other, { env: env() })
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('no account 5')])
    expect((await read(newFolder(), '--sync'))[1]).toContain('leave --dump out')
    const args = [...argsOf(newFolder()).slice(0, -2), '--storage', storage]
    expect((await machine.run(args, { env: env() })).stderr).toContain('--dump')
  })
})
