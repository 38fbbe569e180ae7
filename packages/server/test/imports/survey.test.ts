import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteScratch } from '../../src/adapters/sqlite/sqlite-scratch.ts'
import { createRunImports } from '../../src/imports/import-job.ts'
import type { OpenScratch } from '../../src/ports/scratch.ts'
import { StorageUnavailable } from '../../src/storage/errors.ts'
import { type ImportFileRecord, newSurvey } from '../../src/storage/kinds/import-files.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { textRows, workbookOf } from '../support/workbook-of.ts'
import { zipOf } from '../support/zip-of.ts'
import { openImports } from './import-harness.ts'
import { MemorySource } from './memory-source.ts'

const tenantId = 'ten_1' as TenantId
const text = 'ID,Last Name\n1,Arno\n1,Bela\n1,Cora\n'

/** An uploaded file, and the job of imports with a clock that the test moves. `bytes` are read again for each reading. */
async function openFile(
  bytes: () => Readable | undefined,
  survey?: Partial<ImportFileRecord['survey']>,
  more: Partial<Pick<ImportFileRecord, 'format' | 'sheet' | 'headers'>> & {
    fileOf?: () => string | undefined
    openScratch?: OpenScratch
  } = {},
) {
  const { fileOf = () => undefined, openScratch = openSqliteScratch, ...fields } = more
  const { parts, storage, store, start, runOf } = await openImports(new MemorySource().open, {
    provider: 'file',
  })
  const tenant = sample.tenants(tenantId, { _id: tenantId, isSuspended: false })
  await storage.system.commit(tenantId, { writes: [insertOf('tenants', tenant)], events: [] })
  let nowMs = Date.now()
  const now = new Date(nowMs).toISOString()
  const row: ImportFileRecord = {
    _id: 'att_1',
    tenantId,
    integrationId: 'int_1',
    module: 'Contacts',
    filename: 'rows.csv',
    format: 'csv',
    delimiter: ',',
    encoding: 'utf-8',
    headerRow: 1,
    size: text.length,
    headers: ['ID', 'Last Name'],
    createdAt: now,
    ...fields,
    survey: { ...newSurvey(now), ...survey },
  }
  await store.commit({ writes: [{ op: 'insert', kind: 'importFiles', row }], events: [] })
  const clock = { ...parts.clock, nowMs: () => nowMs }
  const attachments = { ...parts.attachments, read: async () => bytes(), fileOf }
  const job = () => createRunImports({ ...parts, storage, clock, attachments, openScratch })
  return {
    job,
    start,
    runOf,
    pass: (ms: number) => {
      nowMs += ms
    },
    surveyOf: async () => (await store.importFiles.find('att_1'))?.survey,
    /** Lets time pass, and does what is due then. */
    async after(ms: number) {
      nowMs += ms
      const one = job()
      await one.runDue()
      await expect.poll(() => one.activeCount()).toBe(0)
      await one.stop?.()
    },
  }
}

test('a survey counts the dates of a column that could be of either order', async () => {
  const dates =
    'ID,Last Name,Created\n1,Arno,03/04/2024\n2,Bela,05/05/2024\n3,Cora,2024-01-02\n4,Dora,01/02/24\n'
  const headers = ['ID', 'Last Name', 'Created']
  const file = await openFile(() => Readable.from([Buffer.from(dates)]), undefined, { headers })
  await file.after(0)
  expect(await file.surveyOf()).toMatchObject({
    status: 'done',
    dateOrders: [],
    eitherDates: [['Created', 2]],
  })
})

test('a survey is made in the background, without an import', async () => {
  const { after, surveyOf } = await openFile(() => Readable.from([Buffer.from(text)]))
  await after(0)
  expect(await surveyOf()).toMatchObject({
    status: 'done',
    rows: 3,
    changed: ['ID'],
    notIds: ['ID'],
    dueAt: null,
  })
})

test('a survey whose process ends is begun again by another one, and fails when each of three has ended', async () => {
  const begun = { takesUp: 1, dueAt: new Date(Date.now() + 30_000).toISOString() }
  const { after, surveyOf } = await openFile(() => Readable.from([Buffer.from(text)]), begun)
  await after(0)
  expect(await surveyOf()).toMatchObject({ status: 'running', takesUp: 1 })
  await after(31_000)
  expect(await surveyOf()).toMatchObject({ status: 'done', rows: 3 })

  const spent = await openFile(() => Readable.from([Buffer.from(text)]), { takesUp: 3 })
  await spent.after(0)
  expect(await spent.surveyOf()).toMatchObject({
    status: 'failed',
    error: { code: 'INTERNAL_ERROR' },
    dueAt: null,
  })
})

const codeOf = (code: string) =>
  Object.assign(new Error(`${code}: the disk refuses`), { code, syscall: 'read' })

test.each([
  ['a text', {}],
  ['a workbook', { format: 'xlsx' as const, sheet: 'Sheet1' }],
  ['an archive on the disk', { sheet: 'a.csv', fileOf: () => path.join(tmpdir(), 'crmkit-no-such-file') }],
])('a survey of a file whose bytes were deleted fails at once: %s', async (_which, more) => {
  const { after, surveyOf } = await openFile(() => undefined, {}, more)
  await after(0)
  const error = { code: 'UNREADABLE_FILE', message: 'The file was removed' }
  expect(await surveyOf()).toMatchObject({ status: 'failed', dueAt: null, error })
})

test('an archive that is damaged, in its directory or in its bytes, has a survey that failed at once', async () => {
  const rows = Array.from({ length: 2_000 }, (_, row) => `${row},${Math.sin(row)}`).join('\n')
  const whole = zipOf({ 'a.csv': `ID,Last Name\n${rows}` })
  const middle = Math.floor(whole.length / 2)
  const turned = Buffer.from(whole).fill(0xff, middle, middle + 200)
  for (const damaged of [whole.subarray(0, middle), turned]) {
    const { after, surveyOf } = await openFile(() => Readable.from([damaged]), {}, { sheet: 'a.csv' })
    await after(0)
    const error = { code: 'UNREADABLE_FILE', message: 'The file is a damaged archive' }
    expect(await surveyOf()).toMatchObject({ status: 'failed', dueAt: null, error })
  }
})

/** Fails in the middle so many times. */
function failing(error: () => Error, times: number): () => Readable {
  let left = times
  return () => {
    left -= 1
    const fails = left >= 0
    return Readable.from(
      (async function* () {
        yield Buffer.from(text.slice(0, 20))
        if (fails) throw error()
        yield Buffer.from(text.slice(20))
      })(),
    )
  }
}

test.each([
  ['a disk whose bytes cannot be read', () => codeOf('EIO')],
  ['a process without a free file handle', () => codeOf('EMFILE')],
  ['a store that is away', () => new StorageUnavailable('away')],
])('a survey that %s stops waits 30 s, says so, and is made when that has passed', async (_what, error) => {
  const { after, surveyOf } = await openFile(failing(error, 6))
  await after(0)
  for (let times = 1; times <= 5; times++) {
    expect(await surveyOf()).toMatchObject({
      status: 'running',
      takesUp: 0,
      error: { code: 'SERVICE_UNAVAILABLE' },
    })
    const before = await surveyOf()
    await after(29_999)
    expect(await surveyOf()).toEqual(before)
    await after(1)
  }
  await after(30_000)
  expect(await surveyOf()).toMatchObject({ status: 'done', rows: 3, error: null })
})

test('a workbook whose texts find a full disk is surveyed later, and is not called damaged', async () => {
  const texts = Array.from({ length: 150 }, (_, index) => `<t>${index} ${'x'.repeat(60_000)}</t>`)
  const rows = textRows(['ID', 'Last Name'], ['1', 'Arno'])
  const book = workbookOf([{ name: 'Sheet1', rows }], { texts })
  let isFull = true
  const openScratch = () => {
    const scratch = openSqliteScratch()
    const set = (key: string, value: string) => {
      if (isFull) throw new StorageUnavailable('SQLITE_FULL')
      scratch.set(key, value)
    }
    return { ...scratch, set }
  }
  const more = { format: 'xlsx' as const, sheet: 'Sheet1', openScratch }
  const { after, surveyOf } = await openFile(() => Readable.from([book]), {}, more)
  await after(0)
  expect(await surveyOf()).toMatchObject({ status: 'running', error: { code: 'SERVICE_UNAVAILABLE' } })
  isFull = false
  await after(30_000)
  expect(await surveyOf()).toMatchObject({ status: 'done', rows: 1, error: null })
})

test('a survey that a fault of the program stops is tried three times more, says so, and fails then', async () => {
  const { after, surveyOf } = await openFile(failing(() => new TypeError('row.at is not a function'), 4))
  await after(0)
  for (const waitMs of [30_000, 120_000, 600_000]) {
    expect(await surveyOf()).toMatchObject({ status: 'running', error: { code: 'INTERNAL_ERROR' } })
    await after(waitMs)
  }
  expect(await surveyOf()).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' }, dueAt: null })
})

test('a run waits for a survey that is tried again, and begins behind it', async () => {
  const { job, pass, surveyOf, start, runOf } = await openFile(failing(() => codeOf('EIO'), 1))
  const runId = await start()
  const one = job()
  onTestFinished(() => one.stop?.())
  await one.runDue()
  await expect.poll(async () => (await surveyOf())?.error?.code).toBe('SERVICE_UNAVAILABLE')
  await one.runDue()
  expect(await runOf(runId)).toMatchObject({ status: 'queued', startedAt: null })
  pass(30_000)
  await one.runDue()
  await expect.poll(async () => (await runOf(runId)).status).toBe('completed')
  expect((await surveyOf())?.status).toBe('done')
})

test('a process that stops in the middle leaves the survey to the next one', async () => {
  async function* endless() {
    yield Buffer.from('ID,Last Name\n')
    for (let row = 0; ; row++) yield Buffer.from(`${row},N${row}\n`)
  }
  let isFirst = true
  const { job, after, surveyOf } = await openFile(() => {
    const bytes = isFirst ? Readable.from(endless()) : Readable.from([Buffer.from(text)])
    isFirst = false
    return bytes
  })
  const first = job()
  await first.runDue()
  await expect.poll(async () => (await surveyOf())?.takesUp).toBe(1)
  await first.stop?.()
  expect(await surveyOf()).toMatchObject({ status: 'running', takesUp: 0 })
  await after(1_000)
  expect(await surveyOf()).toMatchObject({ status: 'done', rows: 3 })
})
