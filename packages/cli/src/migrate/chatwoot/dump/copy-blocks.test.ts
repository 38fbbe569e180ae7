import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { rowsOfDump } from './copy-blocks.ts'

async function rowsOf(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'crmkit-dump-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'dump.sql')
  writeFileSync(file, text)
  const rows: [string, Record<string, string | null>][] = []
  for await (const { table, cells } of rowsOfDump(file, (name) => name !== 'others'))
    rows.push([table, Object.fromEntries(cells)])
  return rows
}

it('reads each escape of COPY, null, empty texts, and signs that end lines for people', async () => {
  const rows = [
    'COPY public.messages (id, content, "private") FROM stdin;',
    '1\ta\\tb\\nc\\rd\\\\e\\b\\f\\v\t\\N',
    '2\t\tt',
    '3\tone\u2028line \\\\N\tf',
    '\\.',
    'ALTER TABLE public.messages;',
    'COPY public.others (id) FROM stdin;',
    '9',
    '\\.',
    'COPY notes (id) FROM stdin;',
    '4',
    '\\.',
  ]
  const read: Awaited<ReturnType<typeof rowsOf>> = [
    ['messages', { id: '1', content: 'a\tb\nc\rd\\e\b\f\v', private: null }],
    ['messages', { id: '2', content: '', private: 't' }],
    ['messages', { id: '3', content: 'one\u2028line \\N', private: 'f' }],
    ['notes', { id: '4' }],
  ]
  expect(await rowsOf(`${rows.join('\n')}\n`)).toEqual(read)
  expect(await rowsOf(`${rows.join('\r\n')}\r\n`)).toEqual(read)
})

it('reads a line that is longer than a chunk of the file, with signs of several bytes', async () => {
  const content = 'ü€😀'.repeat(300_000)
  const text = `COPY public.messages (id, content) FROM stdin;\n1\t${content}\n\\.\n`
  expect(await rowsOf(text)).toEqual([['messages', { id: '1', content }]])
})
