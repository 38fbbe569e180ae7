import { expect, it } from 'vitest'
import { runMove } from './support/move-run.ts'
import { sqliteWorld } from './support/worlds.ts'

it('a support history is moved whole while the reader, the upload and the import are killed: authors, times, files, and replies by mail to it', {
  timeout: 300_000,
}, async () => {
  const report = await runMove({ tickets: 200, kills: 3, seed: 11, world: sqliteWorld() })
  expect(report.failures.slice(0, 3)).toEqual([])
  expect(report.kills).toEqual({ read: 1, import: 1, load: 1 })
  expect(report.checked).toEqual({
    conversations: 195,
    messages: 482,
    notes: 103,
    calls: 8,
    files: 83,
    mails: 18,
  })
})
