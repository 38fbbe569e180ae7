import { expect, test } from 'vitest'
import { endsOfImportFilesStep } from '../../src/upgrades/ends-of-import-files.ts'
import { openForStep } from '../support/upgrade-step.ts'
import { add } from './storage/samples.contract.ts'

/** A field that the row does not have. */
const absent = undefined as never

test('a file of an earlier version that no run has read goes 7 days after its upload; other files stay', async () => {
  const { storage, store, run } = await openForStep('2026-11-27T12:00:00.000Z')
  const stored = { state: 'stored' as const, erasedAt: null, createdAt: '2026-11-01T00:00:00.000Z' }
  const ofImport = { ...stored, integrationId: 'int_1', messageId: null }
  await add(store, 'attachments', [
    { _id: 'att_1', ...ofImport, keptUntil: absent },
    { _id: 'att_2', ...ofImport, keptUntil: '2026-12-01T00:00:00.000Z' },
    { _id: 'att_3', ...stored, integrationId: absent, keptUntil: absent, messageId: 'msg_1' },
  ])
  await run(endsOfImportFilesStep)
  const ends = await Promise.all(
    ['att_1', 'att_2', 'att_3'].map(async (id) => (await store.attachments.find(id))?.keptUntil),
  )
  expect(ends).toEqual(['2026-11-08T00:00:00.000Z', '2026-12-01T00:00:00.000Z', undefined])
  const due = await storage.system.across.dueAttachments.due('2026-11-27T12:00:00.000Z', 10)
  expect(due.map(({ row }) => row._id)).toEqual(['att_1'])
})
