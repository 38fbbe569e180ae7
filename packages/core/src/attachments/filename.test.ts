import { expect, it } from 'vitest'
import { safeFilename } from './filename.ts'

it.each([
  ['photo.png', 'photo.png'],
  ['Rechnung – März 2026.pdf', 'Rechnung – März 2026.pdf'],
  ['見積書.xlsx', '見積書.xlsx'],
  ['family 👩‍👧.jpg', 'family 👩👧.jpg'],
  ['..\\..\\windows\\system.ini', 'system.ini'],
  ['../../etc/passwd', 'passwd'],
  ['/etc/passwd', 'passwd'],
  ['C:\\fakepath\\scan.pdf', 'scan.pdf'],
  ['a\u0000b.txt', 'ab.txt'],
  ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie_ x=1.txt'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['\u200bphoto\ufeff.png', 'photo.png'],
  ['"quoted";x=1.txt', '_quoted_;x=1.txt'],
  ['.htaccess', 'htaccess'],
  ['..', 'file'],
  ['', 'file'],
  ['   ', 'file'],
  ['con.txt', '_con.txt'],
  ['LPT1', '_LPT1'],
  ['half \ud800 pair.txt', 'half pair.txt'],
  ['e\u0301.txt', 'é.txt'],
  ['tabs\tand  blanks .txt', 'tabsand blanks.txt'],
])('makes %j safe as %j', (given, expected) => {
  expect(safeFilename(given)).toBe(expected)
})

it('shortens a long name and keeps the extension', () => {
  expect(safeFilename(`${'x'.repeat(1000)}.tar`)).toBe(`${'x'.repeat(146)}.tar`)
  expect(safeFilename('y'.repeat(1000))).toBe('y'.repeat(150))
  expect(safeFilename(`a.${'z'.repeat(1000)}`)).toHaveLength(150)
  const emoji = safeFilename(`${'👍'.repeat(500)}.png`)
  expect(emoji.length).toBeLessThanOrEqual(150)
  expect(emoji).toMatch(/^👍+\.png$/u)
})

it.each([
  ['marks', `a${'\u0301\u0323'.repeat(100_000)}.txt`],
  ['dots', `a${'.'.repeat(200_000)}b.txt`],
  ['folders', `${'a/'.repeat(100_000)}b.txt`],
])('reads no more of a long name than it needs: %s', (_, given) => {
  const before = process.cpuUsage()
  expect(safeFilename(given)).toMatch(/\.txt$/)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(500)
})

it('does not change a safe name', () => {
  for (const name of ['..\\a/b\u0000:c.txt', `${'ü'.repeat(400)}.pdf`, 'con', '\u202e'])
    expect(safeFilename(safeFilename(name))).toBe(safeFilename(name))
})
