import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from '../packages/server/test/support/programs.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'corpus-test-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const mail = (subject: string, text: string) =>
  `From: ada@example.com\nTo: help@acme.test\nDate: Mon, 2 Nov 2026 10:00:00 +0100 (CET)\nSubject: ${subject}\n\n${text}\n`

it('npm run corpus reads each mail of a folder and of a mailbox, and shows a text only when it is asked to', async () => {
  writeFileSync(path.join(folder, 'one.eml'), mail('Lamp', 'It is broken'))
  writeFileSync(
    path.join(folder, 'box.mbox'),
    `From ada Mon\n${mail('Two', '>From here')}\nFrom ada Tue\n${mail('Three', 'secret words')}`,
  )
  const { code, stdout } = await runProgram('scripts/corpus.ts', [folder])
  expect(code).toBe(0)
  expect(stdout).toContain('3\tmails')
  expect(stdout).not.toMatch(/other|secret/)
})

it('npm run corpus without a folder says what it needs', async () => {
  const { code, stderr } = await runProgram('scripts/corpus.ts', [path.join(folder, 'none')])
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('a folder with .eml') })
})

it('npm run corpus --replies counts the quotations that are folded, and the words of replies that are not shown', async () => {
  const replies = mkdtempSync(path.join(tmpdir(), 'corpus-replies-'))
  const quoted = '> The lamp is broken since Monday, and the shop does not\n> want to repair it.'
  writeFileSync(
    path.join(replies, 'answered.txt'),
    `Yes.\n\nOn Mon, 2 Nov 2026 at 10:00, Ada <ada@example.com> wrote:\n${quoted}\n`,
  )
  writeFileSync(path.join(replies, 'short.txt'), 'No.\n\n> not announced\n\nand no more\n> of it, or what?\n')
  writeFileSync(path.join(replies, 'none.txt'), 'No quotation.\n')
  const { code, stdout } = await runProgram('scripts/corpus.ts', [replies, '--replies'])
  rmSync(replies, { recursive: true })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^2\treplies, 1 with an announcement$/m)
  expect(stdout).toMatch(/^0\twords of replies hidden$/m)
  expect(stdout).not.toContain('broken')
})
