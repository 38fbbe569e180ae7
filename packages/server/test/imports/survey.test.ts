import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createRunImports } from '../../src/imports/import-job.ts'
import { type ImportFileRecord, newSurvey } from '../../src/storage/kinds/import-files.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { openImports } from './import-harness.ts'
import { MemorySource } from './memory-source.ts'

const tenantId = 'ten_1' as TenantId
const text = 'ID,Last Name\n1,Arno\n1,Bela\n1,Cora\n'

/** An uploaded file, and the job of imports with a clock that the test moves. `bytes` are read again for each reading. */
async function openFile(bytes: () => Readable | undefined, survey?: Partial<ImportFileRecord['survey']>) {
  const { parts, storage, store } = await openImports(new MemorySource().open, { provider: 'file' })
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
    survey: { ...newSurvey(now), ...survey },
  }
  await store.commit({ writes: [{ op: 'insert', kind: 'importFiles', row }], events: [] })
  const clock = { ...parts.clock, nowMs: () => nowMs }
  const attachments = { ...parts.attachments, read: async () => bytes() }
  const job = () => createRunImports({ ...parts, storage, clock, attachments })
  return {
    job,
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

test('a file whose bytes were deleted has a survey that failed', async () => {
  const { after, surveyOf } = await openFile(() => undefined)
  await after(0)
  expect(await surveyOf()).toMatchObject({ status: 'failed', dueAt: null })
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
