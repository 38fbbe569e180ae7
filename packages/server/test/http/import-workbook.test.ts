import { describe, expect, it } from 'vitest'
import { newFileTenant } from '../support/import-files.ts'
import { useService } from '../support/use-service.ts'
import { textRows, workbookOf } from '../support/workbook-of.ts'
import { zipOf } from '../support/zip-of.ts'

/* A workbook is read as the table that a person sees: `POST /api/extcrm/integrations/{id}/files`. */

const running = useService()

const people = textRows(['ID', 'Last Name', 'E-Mail'], ['1', 'Lovelace', 'ada@x.example'])

async function upload(content: Buffer, name = 'book.xlsx', fields = {}) {
  const tenant = await newFileTenant(running.url)
  return { tenant, ...(await tenant.upload('Contacts', content, name, fields)) }
}

describe('a workbook', () => {
  it('is imported with its numbers, dates, texts and errors as a person sees them', async () => {
    const texts = [
      '<t>ID</t>',
      '<t>Last Name</t>',
      '<r><t>Ada </t></r><rPh><t>spoken</t></rPh><r><t>Lovelace</t></r>',
    ]
    const head = [
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>',
      ...[
        'Postcode',
        'Created Time',
        'Day',
        'VIP',
        'Sum',
        'Sheet id',
        'Formula',
        'Broken',
        'Never computed',
        'Two_x000D_lines',
      ].map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`),
      '</row>',
    ]
    const row = [
      '<row r="3"><c r="A3"><v>7328395000000680151</v></c><c r="B3" t="s"><v>2</v></c>',
      '<c r="C3" s="1"><v>1067</v></c><c r="D3" s="2"><v>45688.573611111111</v></c><c r="E3" s="3"><v>45688</v></c>',
      '<c r="F3" t="b"><v>1</v></c><c r="G3"><v>0.30000000000000004</v></c><c r="H3"><v>7.3283950000006799E+18</v></c>',
      '<c r="I3" t="str"><f>A1&amp;B1</f><v>computed</v></c><c r="J3" t="e"><v>#N/A</v></c><c r="K3"><f>1+1</f></c></row>',
    ]
    const book = workbookOf([{ name: 'People', rows: [...head, ...row].join('') }], {
      texts,
      formats: { 164: '00000', 165: 'dd"/day"/mm/yyyy hh:mm' },
      styles: [0, 164, 165, 14],
    })
    const { tenant, status, body } = await upload(book)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      format: 'xlsx',
      delimiter: null,
      headerRow: 1,
      sheet: 'People',
      sheets: ['People'],
    })
    const { customers, issues, run } = await tenant.importUploaded()
    expect(customers).toMatchObject([
      {
        createdAt: expect.any(String),
        profile: { lastName: 'Ada Lovelace' },
        customFields: {
          external: { id: '7328395000000680151' },
          Postcode: '01067',
          Day: '2025-01-31',
          VIP: 'true',
          Sum: '0.3',
          'Sheet id': '7.32839500000068E+18',
          Formula: 'computed',
        },
      },
    ])
    expect(issues.map(({ row, code, column }) => [row, code, column].join(' ')).sort()).toEqual([
      '3 INVALID_VALUE Broken',
      '3 INVALID_VALUE Never computed',
    ])
    expect(run.balance.files[0]).toMatchObject({ rows: { total: 3, outside: 1, blank: 1, created: 1 } })
  })

  it('has its header where the table begins, and shows what stands before it', async () => {
    const rows = textRows(
      ['Report of customers'],
      [],
      ['ID', 'Last Name', 'E-Mail'],
      ['1', 'Lovelace', 'ada@x.example'],
    )
    const { tenant, body } = await upload(workbookOf([{ name: 'One', rows }]))
    expect(body.data).toMatchObject({
      headerRow: 3,
      headers: ['ID', 'Last Name', 'E-Mail'],
      outside: [{ row: 1, text: 'Report of customers' }],
    })
    expect((await tenant.importUploaded()).customers).toMatchObject([{ profile: { lastName: 'Lovelace' } }])
  })

  it('gives its first sheet with rows that is not hidden, or the one that a person names', async () => {
    const other = textRows(['ID', 'Last Name'], ['2', 'Hopper'])
    const book = workbookOf([
      { name: 'Secret', rows: people, state: 'hidden' },
      { name: 'Empty', rows: '' },
      { name: 'Main', rows: people },
      { name: 'Other', rows: other },
    ])
    const { tenant, body } = await upload(book)
    expect(body.data).toMatchObject({ sheet: 'Main', sheets: ['Secret', 'Empty', 'Main', 'Other'] })
    const path = `${tenant.path}/files/${body.data._id}`
    const changed = await tenant.send('PUT', path, { sheet: 'Other' })
    expect(changed.body.data).toMatchObject({ sheet: 'Other', headers: ['ID', 'Last Name'] })
    expect((await tenant.send('PUT', path, { sheet: 'None' })).body.details).toMatchObject([
      { field: 'sheet', rule: 'mismatch' },
    ])
    expect((await tenant.importUploaded()).customers).toMatchObject([{ profile: { lastName: 'Hopper' } }])
  })

  it('keeps a column without a name, and the rejected rows of it can be corrected', async () => {
    const rows = textRows(['ID', 'Last Name'], ['1', 'Lovelace', 'extra'], ['2', ''])
    const { tenant } = await upload(workbookOf([{ name: 'One', rows }]))
    const { customers, run } = await tenant.importUploaded()
    expect(customers).toMatchObject([{ customFields: { 'Column 3': 'extra' } }])
    const rejected = await tenant.send('GET', `${tenant.path}/imports/${run._id}/rejected`)
    expect(String(rejected.body)).toMatch(/^ID,Last Name,Column 3,import row.*\r\n2,,,3,/)
  })

  it.each([
    [
      'with macros',
      workbookOf([{ name: 'One', rows: people }], { more: { 'xl/vbaProject.bin': 'x' } }),
      'format',
    ],
    ['without its sheet', zipOf({ 'xl/workbook.xml': '<workbook/>' }), 'format'],
    ['that is cut', workbookOf([{ name: 'One', rows: people }]).subarray(0, 700), 'format'],
    ['of elements in elements', workbookOf([{ name: 'One', rows: '<a>'.repeat(100_000) }]), 'format'],
    [
      'with a list of entities',
      workbookOf([{ name: 'One', rows: people }], {
        more: { 'xl/workbook.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' },
      }),
      'format',
    ],
    [
      'that unpacks to far more',
      workbookOf([{ name: 'One', rows: people }], {
        more: { 'xl/bomb.xml': Buffer.alloc(110 * 1024 ** 2).toString('latin1') },
      }),
      'ratio',
    ],
    // A file may be a workbook by its name and its first bytes alone.
    [
      'of which the head alone is a workbook',
      Buffer.concat([
        Buffer.from('504b0304140006000800000021005b436f6e74656e745f54797065735d2e786d6c00', 'hex'),
        Buffer.from(Array.from({ length: 2_047 }, (_, index) => (index + 1) % 256)),
      ]),
      'format',
    ],
    ['without rows', workbookOf([{ name: 'One', rows: '' }]), 'empty'],
  ])('%s is refused in words', async (_which, content, rule) => {
    const { status, body } = await upload(content)
    expect([status, body.details]).toMatchObject([422, [{ field: 'file', rule }]])
  })
})
