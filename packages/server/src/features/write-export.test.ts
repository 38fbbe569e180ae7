import { expect, test } from 'vitest'
import { type ExportSection, exportFile } from './write-export.ts'

const subject = { type: 'customer', _id: 'cus_1' }
const exportedAt = '2026-11-21T23:59:59.999Z'

async function written(format: 'json' | 'csv', sections: readonly ExportSection[]): Promise<string> {
  let text = ''
  for await (const chunk of await exportFile(format, { exportedAt, subject, sections }).open()) text += chunk
  return text
}

async function* rowsOf(...rows: Record<string, unknown>[]) {
  yield* rows
}

test('the file is named after the day, in UTC', () => {
  const file = exportFile('csv', { exportedAt, subject, sections: [] })
  expect(file).toMatchObject({ filename: 'data-export-2026-11-21.csv', contentType: 'text/csv' })
})

test('JSON is valid whatever the values hold, also when a section has no rows', async () => {
  const nasty = { _id: 'a', text: '"],}\u2028\ud800 \n', deep: { list: [1, null, { x: '😀' }] } }
  const sections: ExportSection[] = [
    { name: 'customer', row: nasty },
    { name: 'none', rows: () => rowsOf() },
    { name: 'many', rows: () => rowsOf(nasty, nasty) },
  ]
  expect(JSON.parse(await written('json', sections))).toEqual({
    exportedAt,
    subject,
    customer: nasty,
    none: [],
    many: [nasty, nasty],
  })
})

test('CSV has one line for each value, with its section, record and path', async () => {
  const row = { _id: 'a', name: null, profile: { city: 'Köln, DE', empty: {} }, tags: ['x', 'y"z'], seats: 3 }
  const lines = (await written('csv', [{ name: 'rows', rows: () => rowsOf(row, { plain: true }) }])).split(
    '\r\n',
  )
  expect(lines).toEqual([
    'section,record,field,value',
    `export,1,exportedAt,${exportedAt}`,
    'subject,1,type,customer',
    'subject,1,_id,cus_1',
    'rows,a,_id,a',
    'rows,a,name,',
    'rows,a,profile.city,"Köln, DE"',
    'rows,a,profile.empty,{}',
    'rows,a,tags,"[""x"",""y\\""z""]"',
    'rows,a,seats,3',
    'rows,2,plain,true',
    '',
  ])
})

test.each(['=1+1', '+49 30', '-2', '@SUM(A1)', '\tx', '\rx'])(
  'a cell that begins with %j is no formula, whether it is a value or the name of a field',
  async (text) => {
    const csv = await written('csv', [{ name: 'customer', row: { _id: 'a', [text]: text } }])
    const cell = text.includes('\r') ? `"'${text}"` : `'${text}`
    expect(csv).toContain(`customer,a,${cell},${cell}\r\n`)
  },
)

test('reads no further than the client takes', async () => {
  let read = 0
  async function* endless() {
    for (;;) yield { text: 'x'.repeat(10_000), number: ++read }
  }
  const bytes = await exportFile('json', {
    exportedAt,
    subject,
    sections: [{ name: 'rows', rows: endless }],
  }).open()
  for await (const _ of bytes) break
  expect(read).toBeLessThan(10)
})
