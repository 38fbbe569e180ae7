import { describe, expect, it } from 'vitest'
import { newFileTenant } from '../support/import-files.ts'
import { useService } from '../support/use-service.ts'

/* A file is read as the program wrote it that made it, or it is refused in words. */

const running = useService()

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

async function importFile(module: string, content: string | Buffer, choices?: object) {
  const tenant = await newFileTenant(running.url)
  return tenant.importText(module, content, undefined, choices)
}

it('the lines before a table and behind it are no records, and those behind it are named', async () => {
  const text = lines(
    'Cases of today',
    '',
    'Case Number,Subject,Status',
    '1,Pump,New',
    '2,Fan,Closed',
    '',
    'By O. Owner',
    'Page 1',
  )
  const { file, run, issues, conversations } = await importFile('Cases', text)
  expect(file).toMatchObject({ headerRow: 3, delimiter: ',' })
  expect(conversations).toHaveLength(2)
  expect(run).toMatchObject({ status: 'completed', modules: { Cases: { read: 2, failed: 0, skipped: 0 } } })
  expect(issues).toMatchObject([{ severity: 'skipped', code: 'OUTSIDE_TABLE', row: 7, count: 2 }])
})

it('a letter behind the first 256 KB that is no UTF-8 decides the encoding of the whole file', async () => {
  const tenant = await newFileTenant(running.url)
  const rows = Array.from({ length: 3_000 }, (_, index) => `${index},N${index},${'x'.repeat(100)}`)
  const bytes = Buffer.from(lines('ID,Last Name,Note', ...rows, '3000,M\u00fcller,late'), 'latin1')
  const { body } = await tenant.upload('Contacts', bytes)
  expect(body.data.encoding).toBe('windows-1252')
  const wrong = await tenant.upload('Contacts', bytes, 'rows.csv', { encoding: 'utf-8' })
  expect(wrong).toMatchObject({ status: 422, body: { details: [{ field: 'encoding', rule: 'mismatch' }] } })
})

it('bytes that are no text are named, and do not decide the encoding of all others', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => `${at},M\u00fcller ${at}`)
  const bytes = Buffer.concat([
    Buffer.from(lines('ID,Last Name', ...rows)),
    Buffer.from('20,Stra\u00dfe\n', 'latin1'),
  ])
  const { file, issues, customers } = await importFile('Contacts', bytes)
  expect(file.encoding).toBe('utf-8')
  expect(issues).toMatchObject([
    { severity: 'warning', code: 'INVALID_VALUE', column: 'Last Name', row: 22, count: 1 },
  ])
  expect(customers).toHaveLength(21)
})

it('a form says how the file is to be read', async () => {
  const tenant = await newFileTenant(running.url)
  const text = lines('Liste', 'Name|x,E-Mail|y', 'Ann|a,a@x.example|b')
  const given = { delimiter: '|', headerRow: '2', encoding: 'windows-1252' }
  const { body } = await tenant.upload('Contacts', text, 'rows.csv', given)
  expect(body.data).toMatchObject({
    delimiter: '|',
    headerRow: 2,
    encoding: 'windows-1252',
    headers: ['Name', 'x,E-Mail', 'y'],
  })
  const { status, body: refused } = await tenant.upload('Contacts', text, 'rows.csv', {
    delimiter: 'ab',
    headerRow: '51',
    encoding: 'ebcdic',
  })
  expect(status).toBe(422)
  const fields = refused.details.map(({ field }: { field: string }) => field)
  expect(fields.toSorted()).toEqual(['delimiter', 'encoding', 'headerRow'])
})

it.each([
  [
    'book.xlsx',
    Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.from('..xl/workbook.xml')]),
    'an Excel workbook',
  ],
  ['people.csv', Buffer.from('<!doctype html><title>Sign in</title>'), 'a web page'],
])('%s is refused with the name of its format', async (name, content, words) => {
  const tenant = await newFileTenant(running.url)
  const { status, body } = await tenant.upload('Contacts', content, name)
  expect(status).toBe(422)
  expect(body.details).toMatchObject([{ field: 'file', rule: 'format' }])
  expect(body.details[0].message).toContain(words)
})

describe('dates', () => {
  it('one day above 12 decides the order of its column, also far behind', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => `${index + 10},N${index},5/6/2024`)
    const text = lines('ID,Last Name,Created', '1,N1,3/4/2024', ...rows, '2,N2,12/25/2024')
    const { run, customers } = await importFile('Contacts', text)
    expect(run).toMatchObject({ status: 'completed', warningCount: 0 })
    const first = customers.find(
      ({ profile }: { profile: { lastName: string } }) => profile.lastName === 'N1',
    )
    expect(first.createdAt).toBe('2024-03-04T00:00:00.000Z')
  })

  it('dates of the other order are named once, with their number', async () => {
    const text = lines(
      'ID,Last Name,Created',
      '1,N1,25/12/2024',
      '2,N2,26/12/2024',
      '3,N3,12/25/2024',
      '4,N4,12/26/2024',
      '5,N5,30/12/2024',
    )
    const { issues } = await importFile('Contacts', text)
    expect(issues).toMatchObject([{ code: 'DATE_ORDER', column: 'Created', count: 2, row: 4 }])
  })

  it('a column whose dates prove no order is named with their number, until a person chooses one', async () => {
    const text = lines(
      'ID,Last Name,Created',
      '1,N1,03/04/2024',
      '2,N2,05/05/2024',
      '3,N3,2024-07-08',
      '4,N4,06/07/2024',
    )
    const named = { severity: 'warning', code: 'DATE_ORDER', column: 'Created', count: 2, row: 2 }
    for (const [order, created] of [
      [undefined, '2024-04-03T00:00:00.000Z'],
      ['dmy', '2024-04-03T00:00:00.000Z'],
      ['mdy', '2024-03-04T00:00:00.000Z'],
    ] as const) {
      const tenant = await newFileTenant(running.url)
      if (order !== undefined) {
        const chosen = await tenant.send('PUT', tenant.path, { dateOrder: order })
        expect([chosen.status, chosen.body.data.dateOrder]).toEqual([200, order])
      }
      const { run, issues, customers } = await tenant.importText('Contacts', text)
      expect(issues).toMatchObject(order === undefined ? [named] : [])
      expect(issues).toHaveLength(order === undefined ? 1 : 0)
      expect(run).toMatchObject({ status: 'completed', balance: { closes: true } })
      const first = customers.find(
        ({ profile }: { profile: { lastName: string } }) => profile.lastName === 'N1',
      )
      expect(first.createdAt).toBe(created)
    }
  })

  it('each column has an order of its own, which a person chooses', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.send('PUT', tenant.path, { dateOrders: { Cases: { 'Created At': 'mdy' } } })
    const text = lines(
      'Case Number,Subject,Created At,Closed At',
      '1,Pump,03/04/2024,05/06/2024',
      '2,Fan,01/02/2024,07/08/2024',
    )
    const { run, issues, conversations } = await tenant.importText('Cases', text, undefined, {})
    expect(run).toMatchObject({ status: 'completed', balance: { closes: true } })
    expect(issues).toMatchObject([{ code: 'DATE_ORDER', column: 'Closed At', count: 2 }])
    expect(conversations.map(({ createdAt }: { createdAt: string }) => createdAt).sort()).toEqual([
      '2024-01-02T00:00:00.000Z',
      '2024-03-04T00:00:00.000Z',
    ])
  })

  it("a person's order holds where the column proves another one, and each such date is named", async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.send('PUT', tenant.path, { dateOrders: { Contacts: { Created: 'mdy' } } })
    const text = lines('ID,Last Name,Created', '1,N1,03/04/2024', '2,N2,13/04/2024', '3,N3,2024-05-06')
    const { issues, customers } = await tenant.importText('Contacts', text)
    expect(issues).toMatchObject([{ severity: 'warning', code: 'DATE_ORDER', column: 'Created', count: 2 }])
    const first = customers.find(
      ({ profile }: { profile: { lastName: string } }) => profile.lastName === 'N1',
    )
    expect(first.createdAt).toBe('2024-03-04T00:00:00.000Z')
  })

  it('a range of days leaves out the rows before and behind it, and those without a date', async () => {
    const text = lines('ID,Last Name,Created', '1,Old,2010-01-01', '2,New,2024-06-01', '3,Undated,')
    const { run, issues, customers } = await importFile('Contacts', text, {
      dateRange: { startDate: '2024-01-01' },
    })
    expect(customers).toMatchObject([{ profile: { lastName: 'New' } }])
    expect(run).toMatchObject({ status: 'completed', modules: { Contacts: { skipped: 2 } } })
    expect(issues).toMatchObject([{ severity: 'skipped', code: 'OUT_OF_RANGE', count: 2, row: 2 }])
  })

  it('a range of days for a file without dates is refused', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.upload('Contacts', lines('ID,Last Name', '1,N1'))
    const dateRange = { startDate: '2024-01-01' }
    const { status, body } = await tenant.send('POST', `${tenant.path}/import`, { dateRange })
    expect(status).toBe(422)
    expect(body.details).toMatchObject([{ field: 'dateRange', rule: 'no_date_column' }])
  })
})

it('a file of cards holds contacts alone', async () => {
  const tenant = await newFileTenant(running.url)
  const text = lines(
    'BEGIN:VCARD',
    'N:Ruiz;Ada',
    'EMAIL:ada@x.example',
    'EMAIL:a@home.example',
    'TEL:030 1',
    'END:VCARD',
  )
  const refused = await tenant.upload('Cases', text, 'people.vcf')
  expect(refused).toMatchObject({ status: 422, body: { details: [{ field: 'file', rule: 'format' }] } })
  const { file, run, customers } = await tenant.importText('Contacts', text, 'people.vcf')
  expect(file.mapping).toEqual({
    'Last Name': 'lastName',
    'First Name': 'firstName',
    Email: 'email',
    'Email 2': 'secondaryEmail',
    Phone: 'phone',
  })
  expect(run).toMatchObject({ status: 'completed', warningCount: 0 })
  expect(customers).toMatchObject([
    { profile: { firstName: 'Ada', lastName: 'Ruiz', email: 'ada@x.example' } },
  ])
})

it('the reply of an API holds its records in a list', async () => {
  const tenant = await newFileTenant(running.url)
  const text = '{"users":[{"id":1,"email":"a@x.example"},{"id":2,"email":"b@x.example"}],"next_page":null}'
  const { run, customers } = await tenant.importText('Contacts', text, 'reply.json')
  expect(run.status).toBe('completed')
  expect(customers).toHaveLength(2)
})
