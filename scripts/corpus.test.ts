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
