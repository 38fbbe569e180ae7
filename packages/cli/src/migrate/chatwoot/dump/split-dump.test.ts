import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { splitDump } from './split-dump.ts'

const blockOf = (table: string, columns: string, rows: readonly string[]) =>
  [`COPY public.${table} (${columns}) FROM stdin;`, ...rows, '\\.', ''].join('\n')

it('divides a long dump into parts, each with whole conversations, and forgets nothing', async () => {
  const numbers = Array.from({ length: 60 }, (_, index) => index + 1)
  const text = [
    blockOf('accounts', 'id, name', ['7\tAcme']),
    blockOf('contacts', 'id, account_id', ['1\t7']),
    blockOf('users', 'id, name', []),
    blockOf(
      'messages',
      'id, account_id, conversation_id, created_at',
      numbers.flatMap((id) => [1, 2].map((n) => `${id * 10 + n}\t7\t${id}\t2026-01-01 00:00:0${n}`)),
    ),
    blockOf(
      'conversations',
      'id, account_id, last_activity_at',
      numbers.map((id) => `${id}\t7\t2026-01-02 00:00:00.25`),
    ),
  ].join('')
  const folder = mkdtempSync(join(tmpdir(), 'crmkit-split-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'dump.sql')
  writeFileSync(file, text)
  const split = await splitDump({ file, account: '7', bytesOfPart: 500 }, join(folder, 'parts'))
  expect(split.parts).toBeGreaterThan(5)
  expect(split.newestAt).toBe('2026-01-02T00:00:00.250Z')
  const conversations: unknown[] = []
  for (let part = 0; part < split.parts; part += 1) {
    const rows = await split.readPart('conversations', part)
    const messages = await split.readPart('messages', part)
    const ids = rows.map(({ id }) => id)
    expect(messages.map(({ conversation_id }) => conversation_id).sort()).toEqual([...ids, ...ids].sort())
    conversations.push(...ids)
  }
  expect(conversations.map(Number).sort((a, b) => a - b)).toEqual(numbers)
})
