import { expect, test } from 'vitest'
import { csvRows } from './csv-rows.ts'

async function* inPieces(text: string, bytes: number): AsyncGenerator<Buffer> {
  const all = Buffer.from(text)
  for (let start = 0; start < all.length; start += bytes) yield all.subarray(start, start + bytes)
}

async function rowsOf(text: string, bytes = 64 * 1024) {
  const rows: { cells: string[]; isOpen: boolean }[] = []
  for await (const { cells, isOpen } of csvRows(inPieces(text, bytes), { delimiter: ',' }))
    rows.push({ cells, isOpen })
  return rows
}

const lineCount = (rows: readonly { isOpen: boolean }[]) => rows.filter(({ isOpen }) => !isOpen).length

test.each([1, 2, 3, 7, 64])(
  'cells with quotes, newlines and delimiters are the same in pieces of %i bytes',
  async (bytes) => {
    const text = 'a,b,c\r\n"x, ""y""","two\nlines",\r\n\n"",3 "in",é\r'
    expect(await rowsOf(text, bytes)).toEqual([
      { cells: ['a', 'b', 'c'], isOpen: false },
      { cells: ['x, "y"', 'two\nlines', ''], isOpen: false },
      { cells: [''], isOpen: false },
      { cells: ['', '3 "in"', 'é'], isOpen: false },
    ])
  },
)

const plain = (count: number) =>
  Array.from({ length: count }, (_, index) => `N${index},n${index}@x.example,ok`)

test.each([
  ['at the end of the file', ['a,b,c', 'x,y,"19 inch', ...plain(1)], 1],
  ['before many rows', ['a,b,c', 'x,y,"19 inch', ...plain(20_000)], 20_000],
  [
    'before another row with an open quote',
    ['a,b,c', 'x,y,"19 inch', ...plain(5), 'z,w,"20 inch', ...plain(5)],
    10,
  ],
])('a quote that is open %s costs its row alone', async (_, lines, others) => {
  const rows = await rowsOf(lines.join('\n'))
  expect(lineCount(rows)).toBe(1 + others)
})

test('a quote that is open before text that is no rows costs its row, which ends with the file', async () => {
  const rows = await rowsOf('a,b,c\nx,y,"a long note\nwith lines\nthat go on')
  expect(rows).toMatchObject([{ isOpen: false }, { isOpen: true }])
})

test('a long cell with lines of prose is one cell', async () => {
  const prose = 'words that go on, and on\nand on without an end\n'.repeat(4_000)
  const rows = await rowsOf(`a,b,c\n1,2,"${prose}"\n3,4,5\n`)
  expect(rows.map(({ isOpen, cells }) => [isOpen, cells.length])).toEqual([
    [false, 3],
    [false, 3],
    [false, 3],
  ])
})

test('a file in which every second row has an open quote costs no more for each byte than a short one', async () => {
  const fileOf = (count: number) =>
    ['a,b,c', ...Array.from({ length: count }, (_, index) => (index % 2 ? 'x,y,"open' : 'x,y,z'))].join('\n')
  const cpuMs = async (text: string) => {
    const before = process.cpuUsage()
    await rowsOf(text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  const [short, long] = [fileOf(20_000), fileOf(80_000)]
  await cpuMs(short)
  const times = [await cpuMs(short), await cpuMs(short), await cpuMs(short)]
  expect(await cpuMs(long)).toBeLessThan(10 * Math.max(10, Math.min(...times)))
})
