import { expect, test } from 'vitest'
import { type RawRow, rawRows } from './sheet-rows.ts'

async function rowsOf(xml: string): Promise<RawRow[]> {
  async function* bytes() {
    yield Buffer.from(`<sheetData>${xml}</sheetData>`)
  }
  const rows: RawRow[] = []
  for await (const row of rawRows(bytes(), { formats: [], is1904: false })) rows.push(row)
  return rows
}

const cell = (name: string, text: string) => `<c r="${name}" t="str"><v>${text}</v></c>`

test('a cell stands at its column, and a row at its number', async () => {
  const rows = await rowsOf(
    `<row r="2">${cell('A2', 'a')}${cell('C2', 'c')}</row><row r="4">${cell('B4', 'b')}</row>`,
  )
  expect(rows).toEqual([
    { row: 1, cells: [] },
    { row: 2, cells: ['a', '', 'c'] },
    { row: 3, cells: [] },
    { row: 4, cells: ['', 'b'] },
  ])
})

test('values far to the right are kept in their order, and cost no cell for each column before them', async () => {
  const [row] = await rowsOf(`<row r="1">${cell('A1', 'a')}${cell('XFC1', 'y')}${cell('XFD1', 'z')}</row>`)
  expect(row?.cells).toHaveLength(1_002)
  expect(row?.cells.filter((text) => text !== '')).toEqual(['a', 'y', 'z'])
})
