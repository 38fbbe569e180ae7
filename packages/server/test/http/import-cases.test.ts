import { describe, expect, it } from 'vitest'
import { newFileTenant } from '../support/import-files.ts'
import { useService } from '../support/use-service.ts'

/* Each value of a file is stored, or an issue names it. The files are small ones of real kinds. */

const running = useService()

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

/** Imports a file of one module and returns what came of it. */
async function importFile(module: string, text: string, name = 'rows.csv', mapping: object = {}) {
  const tenant = await newFileTenant(running.url)
  await tenant.send('PUT', tenant.path, { mapping: { [module]: mapping } })
  return tenant.importText(module, text, name)
}

describe('words that a person maps', () => {
  it('mean what the person says, before what they usually mean, without case; the others are named', async () => {
    const tenant = await newFileTenant(running.url)
    const values = { Cases: { status: { 'With the LAWYER': 'pending', Solved: 'open' } } }
    expect((await tenant.send('PUT', tenant.path, { values })).status).toBe(200)
    const head = 'Ticket ID,Subject,Status'
    const rows = ['1,a,with the lawyer', '2,b,solved', '3,c,toString', '4,d,closed']
    const { conversations, issues } = await tenant.importText('Cases', lines(head, ...rows))
    const statusOf = Object.fromEntries(
      conversations.map((row: { subject: string; status: string }) => [row.subject, row.status]),
    )
    expect(statusOf).toEqual({ a: 'pending', b: 'open', c: 'open', d: 'closed' })
    expect(issues).toMatchObject([{ code: 'UNMAPPED_VALUE', column: 'Status', value: 'toString', count: 1 }])
    expect(conversations[0].customFields.Status).toBeDefined()
  })
})

describe('columns', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'external'])(
    'a column with the name %s is a column like any other',
    async (header) => {
      const { run, customers } = await importFile('Contacts', lines(`ID,Last Name,${header}`, '1,Arno,x'))
      expect(run).toMatchObject({ status: 'completed', warningCount: 0 })
      const [{ customFields }] = customers
      expect(customFields).toMatchObject({ [`${header} (column 3)`]: 'x', external: { id: '1' } })
    },
  )

  it('a JSON field with such a name is one too', async () => {
    const text = lines('{"id":1,"lastName":"Arno","__proto__":"x","constructor":{"a":1}}')
    const { run, customers } = await importFile('Contacts', text, 'rows.ndjson')
    expect(run).toMatchObject({ status: 'completed', warningCount: 0 })
    expect(customers[0].customFields).toMatchObject({
      '__proto__ (column 3)': 'x',
      'constructor (column 4)': { a: 1 },
    })
  })

  it('the first of several columns with one name has its target, the others have names of their own', async () => {
    const { customers } = await importFile(
      'Contacts',
      lines(
        'Last Name,Email,Phone,Phone,Note,Note',
        'Arno,arno@x.example,+493011111,+493022222,first words,second words',
        'Bela,bela@x.example,+493033333,,only these,',
      ),
    )
    expect(customers).toMatchObject([
      {
        profile: { lastName: 'Arno', phone: '+493011111' },
        customFields: { 'Phone 2': '+493022222', Note: 'first words', 'Note 2': 'second words' },
      },
      { profile: { lastName: 'Bela', phone: '+493033333' }, customFields: { Note: 'only these' } },
    ])
  })

  it('a column without a name is kept by its position', async () => {
    const text = lines('Last Name,,Email,', 'Arno,middle words,arno@x.example,last words')
    const { run, customers } = await importFile('Contacts', text)
    expect(run.status).toBe('completed')
    expect(customers[0].customFields).toMatchObject({ 'Column 2': 'middle words', 'Column 4': 'last words' })
  })

  it('names that differ only behind 100 characters stay two columns', async () => {
    const long = 'x'.repeat(120)
    const { customers } = await importFile('Contacts', lines(`Last Name,${long}1,${long}2`, 'Arno,one,two'))
    expect(Object.values(customers[0].customFields)).toEqual(expect.arrayContaining(['one', 'two']))
  })

  it('a JSON field is mapped wherever in the file it occurs first', async () => {
    const rows = Array.from({ length: 66 }, (_, index) =>
      JSON.stringify({
        id: index,
        lastName: `N${index}`,
        ...(index >= 60 && { phone: `+4930123${index}`, plan: `gold ${index}` }),
      }),
    )
    const { customers } = await importFile('Contacts', lines(...rows), 'rows.ndjson')
    expect(customers.slice(60)).toMatchObject(
      rows.slice(60).map((_, index) => ({
        profile: { phone: `+4930123${index + 60}` },
        customFields: { plan: `gold ${index + 60}` },
      })),
    )
  })

  it('more than 1,000 columns are refused, and 1,000 are all kept or named', async () => {
    const tenant = await newFileTenant(running.url)
    const names = Array.from({ length: 1_000 }, (_, index) => `c${index + 1}`)
    const tooMany = await tenant.upload('Contacts', lines(['id', ...names].join(','), '1'))
    expect(tooMany.status).toBe(422)
    expect(tooMany.body.details).toMatchObject([{ field: 'file', rule: 'columns' }])
    const header = ['lastName', ...names.slice(1)].join(',')
    const { run, customers, issues } = await tenant.importText(
      'Contacts',
      lines(header, ['Arno', ...names.slice(1)].join(','), ['Bela', ...names.slice(1)].join(',')),
    )
    expect(run.status).toBe('completed')
    const kept = Object.keys(customers[0].customFields).length - 1
    const named = issues.filter(({ code }) => code === 'COLUMN_NOT_STORED')
    expect(kept + run.warningCount).toBe(999)
    expect(named[0]).toMatchObject({ row: 2, column: expect.any(String), count: 2, severity: 'warning' })
  })

  it('columns of notes and calls that have no target are named, and those that a person left out are not', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.send('PUT', tenant.path, { mapping: { Calls: { Secret: null } } })
    const text = lines('ID,Subject,Mood,Secret,Type', '1,Hello,good,x,Inbound', '2,Again,bad,y,Sideways')
    const { issues, file } = await tenant.importText('Calls', text)
    expect(file.mapping).toMatchObject({ Mood: null, Secret: null })
    expect(issues).toMatchObject([
      { code: 'COLUMN_NOT_STORED', column: 'Mood', count: 2, row: 2 },
      { code: 'UNMAPPED_VALUE', column: 'Type', value: 'Sideways', count: 1, row: 3 },
    ])
  })
})

describe('cells', () => {
  it('a row with more cells than the header is an error with both numbers, and nothing of it is written', async () => {
    const { issues, customers } = await importFile(
      'Contacts',
      lines(
        'Last Name,Company,Email,Phone',
        'Arno,Acme, Inc.,arno@x.example,+493011111',
        'Bela,Beta,bela@x.example,+493022222',
        'Cora,Gamma,cora@x.example,+493033333,,',
        'Dora,Delta',
      ),
    )
    expect(customers.map(({ profile }: { profile: { lastName: string } }) => profile.lastName)).toEqual([
      'Bela',
      'Cora',
      'Dora',
    ])
    expect(issues).toMatchObject([
      { row: 2, severity: 'error', code: 'CELL_COUNT', message: 'has 5 cells instead of 4' },
      { row: 5, severity: 'warning', code: 'CELL_COUNT', message: 'has 2 cells instead of 4' },
    ])
  })

  it('a quote that is not closed costs its own row, and the 300 rows behind it are imported', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `N${index},n${index}@x.example,ok`)
    const head = ['Last Name,Email,Note', 'Arno,arno@x.example,fine', 'Bela,bela@x.example,"19 inch']
    const { run, issues } = await importFile('Contacts', lines(...head, ...rows))
    expect(run).toMatchObject({ status: 'completed_with_errors', modules: { Contacts: { created: 301 } } })
    expect(issues).toMatchObject([{ row: 3, code: 'OPEN_QUOTE', severity: 'error' }])
  })

  it('a JSON array that ends in the middle, and elements that are no objects, are errors with their row', async () => {
    const text = '[{"id":1,"lastName":"Arno"},"words",7,{"id":2,"lastName":"Bela"},{"id":3,"lastNa'
    const { run, issues, customers } = await importFile('Contacts', text, 'rows.json')
    expect(run.status).toBe('completed_with_errors')
    expect(customers).toHaveLength(2)
    expect(issues).toMatchObject([
      { row: 2, code: 'INVALID_RECORD' },
      { row: 3, code: 'INVALID_RECORD' },
      { row: 5, code: 'FILE_CUT', severity: 'error' },
    ])
  })

  it('more tags than a customer can have, and values that no target can hold, are named', async () => {
    const tags = Array.from({ length: 51 }, (_, index) => `t${index}`)
    const text = JSON.stringify([{ id: 1, lastName: 'Arno', tags, phone: ['+493011111'], createdAt: 'soon' }])
    const { issues } = await importFile('Contacts', text, 'rows.json')
    expect(issues).toMatchObject([
      { code: 'INVALID_VALUE', column: 'createdAt' },
      { code: 'INVALID_VALUE', column: 'phone' },
      { code: 'SOURCE_TRUNCATED', message: 'there are more than 50 tags' },
    ])
  })

  it('an additional address of a person is kept, though it only finds a customer', async () => {
    const { customers } = await importFile('Contacts', lines('Last Name,Email 2', 'Arno,second@x.example'))
    expect(customers[0].customFields).toMatchObject({ 'Email 2': 'second@x.example' })
  })
})

describe('ids', () => {
  it('a row whose id an earlier row has is an error with both rows, and an equal one is skipped', async () => {
    const { run, issues, customers } = await importFile(
      'Contacts',
      lines(
        'ID,Last Name,Email',
        '1,Arno,arno@x.example',
        '1,Bela,bela@x.example',
        '1,Arno,arno@x.example',
        '2,Dora,dora@x.example',
      ),
    )
    expect(run).toMatchObject({ status: 'completed_with_errors', modules: { Contacts: { read: 2 } } })
    expect(customers).toMatchObject([{ profile: { lastName: 'Arno' } }, { profile: { lastName: 'Dora' } }])
    expect(issues).toMatchObject([
      { row: 3, severity: 'error', code: 'DUPLICATE_ID', column: 'ID', externalId: '1' },
      { row: 4, severity: 'skipped', code: 'DUPLICATE_ID', column: 'ID' },
    ])
    expect(issues[0]?.message).toContain('row 3 has the id of row 2')
  })

  it('the second row with an id is imported when the first one failed', async () => {
    const { run, customers } = await importFile(
      'Contacts',
      lines('ID,Last Name,Region', '1,,North', '1,Bela,South', '1,Cora,West'),
      'rows.csv',
      { ID: 'id' },
    )
    expect(run.modules.Contacts).toMatchObject({ read: 2, created: 1, failed: 1 })
    expect(customers).toMatchObject([{ profile: { lastName: 'Bela' } }])
    expect(run.errorCount).toBe(2)
  })

  it('a retry does not write a repeated row over the one that is here', async () => {
    const tenant = await newFileTenant(running.url)
    const text = lines('ID,Last Name', '1,Arno', '1,Bela')
    await tenant.importText('Contacts', text)
    const { run, customers, issues } = await tenant.retry()
    expect(run.status).toBe('completed_with_errors')
    expect(issues).toMatchObject([{ row: 3, code: 'DUPLICATE_ID' }])
    expect(customers).toMatchObject([{ profile: { lastName: 'Arno' } }])
  })

  it('rows of earlier pages count: an id that repeats behind 300 others is an error', async () => {
    const rows = Array.from({ length: 301 }, (_, index) => `${index % 300},N${index}`)
    const { run, issues } = await importFile('Contacts', lines('ID,Last Name', ...rows))
    expect(run.modules.Contacts).toMatchObject({ created: 300 })
    expect(issues).toMatchObject([{ row: 302, code: 'DUPLICATE_ID' }])
  })

  it('ids that a spreadsheet has rounded are said to be so, once', async () => {
    const { issues } = await importFile(
      'Contacts',
      lines('Record ID,Last Name', '7.32839E+18,Arno', '7.32839E+18,Bela', '7.1E+18,Cora'),
      'rows.csv',
      { 'Record ID': 'id' },
    )
    expect(issues.map(({ code, row }) => [code, row])).toEqual(
      expect.arrayContaining([
        ['ROUNDED_ID', 2],
        ['DUPLICATE_ID', 3],
      ]),
    )
    expect(issues.find(({ code }) => code === 'ROUNDED_ID')?.count).toBe(2)
  })

  it('numbers of JSON beyond 2^53 keep their digits', async () => {
    const text = lines(
      '{"id":7328395000000680151,"lastName":"Arno","big":1e400}',
      '{"id":7328395000000680152,"lastName":"Bela","big":1.5}',
    )
    const { customers } = await importFile('Contacts', text, 'rows.ndjson')
    expect(customers).toMatchObject([
      { customFields: { external: { id: '7328395000000680151' }, big: '1e400' } },
      { customFields: { external: { id: '7328395000000680152' }, big: 1.5 } },
    ])
  })

  it('the id word of another module names the owner of a record, never the record', async () => {
    const rows = ['1026,003A1,Generator down,New', '1027,003A1,Spare part,Closed', '1028,003A2,Invoice,New']
    const text = lines('Case Number,Contact ID,Subject,Status', ...rows)
    const { file, conversations } = await importFile('Cases', text)
    expect(file.mapping).toMatchObject({ 'Case Number': 'id', 'Contact ID': 'customerId' })
    expect(conversations).toHaveLength(3)
  })

  it.each([
    ['Contacts', 'Deal ID', 'customFields.Deal ID'],
    ['Deals', 'Contact ID', 'customerId'],
    ['Notes', 'Ticket ID', 'parentId'],
    ['Calls', 'Contact ID', 'customerId'],
    ['Calls', 'Deal ID', null],
  ])('in a file of %s the column %s goes to %s', async (module, header, target) => {
    const tenant = await newFileTenant(running.url)
    const { body } = await tenant.upload(module, lines(`${header},Subject`, '1,Words'))
    expect(body.data.mapping[header]).toBe(target)
  })
})

describe('words', () => {
  it('the word of a status, stage, priority and channel is kept as a custom field', async () => {
    const cases = await importFile(
      'Cases',
      lines('ID,Subject,Status,Priority,Channel', '1,S1,On-hold,Highest,Web portal'),
    )
    expect(cases.conversations).toMatchObject([
      {
        status: 'pending',
        priority: 'urgent',
        channel: 'email',
        customFields: { Status: 'On-hold', Priority: 'Highest', Channel: 'Web portal' },
      },
    ])
    const deals = await importFile('Deals', lines('ID,Deal Name,Stage', '1,D1,Negotiation/Review'))
    expect(deals.conversations).toMatchObject([{ customFields: { Stage: 'Negotiation/Review' } }])
  })

  it.each([
    ['Unresolved', 'open'],
    ['Unsolved', 'open'],
    ['Not resolved', 'open'],
    ['Waiting on Customer', 'pending'],
    ['Waiting on third party', 'pending'],
    ['Snoozed', 'pending'],
    ['Solved', 'closed'],
    ['Done', 'closed'],
    ['Cancelled', 'closed'],
    ['Erledigt', 'closed'],
    ['En attente', 'pending'],
    ['Resuelto', 'closed'],
    ['Закрыто', 'closed'],
    ['対応中', 'open'],
    ['완료', 'closed'],
  ])('the status %s is %s, without a warning', async (word, status) => {
    const { run, conversations } = await importFile('Cases', lines('ID,Subject,Status', `1,S,${word}`))
    expect(conversations).toMatchObject([{ status }])
    expect(run.warningCount).toBe(0)
  })

  it('no word is found within another one, and each that is unknown is reported once with its number', async () => {
    const words = ['Disclosure sent', 'Wonderful prospect', 'Disclosure sent', 'disclosure  SENT']
    const rows = words.map((word, index) => `${index},D${index},${word}`)
    const { run, issues, conversations } = await importFile('Deals', lines('ID,Deal Name,Stage', ...rows))
    expect(conversations.every(({ status }: { status: string }) => status === 'open')).toBe(true)
    expect(issues).toMatchObject([
      { code: 'UNMAPPED_VALUE', column: 'Stage', value: 'Disclosure sent', count: 3, row: 2 },
      { code: 'UNMAPPED_VALUE', column: 'Stage', value: 'Wonderful prospect', count: 1, row: 3 },
    ])
    expect(run).toMatchObject({ status: 'completed', warningCount: 2 })
  })

  it('a word is reported once in a run of several pages', async () => {
    const rows = Array.from({ length: 450 }, (_, index) => `${index},S${index},Parked`)
    const { run, issues } = await importFile('Cases', lines('ID,Subject,Status', ...rows))
    expect(issues).toMatchObject([{ code: 'UNMAPPED_VALUE', value: 'Parked', count: 450, row: 2 }])
    expect(run.warningCount).toBe(1)
  })
})

it('four imports that the service fails on do not hold up the rows of another tenant', async () => {
  const broken = await Promise.all([1, 2, 3, 4].map(() => newFileTenant(running.url)))
  for (const tenant of broken) {
    await tenant.upload('Contacts', lines('ID,Note', '1,x'))
    await tenant.breakMapping(running.service.storage)
    await tenant.send('POST', `${tenant.path}/import`, {})
  }
  const { customers } = await importFile('Contacts', lines('ID,Last Name', '1,Arno'))
  expect(customers).toHaveLength(1)
  for (const tenant of broken) {
    expect((await tenant.send('POST', `${tenant.path}/import/cancel`)).status).toBe(200)
  }
})
