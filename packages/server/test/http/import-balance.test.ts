import { describe, expect, it } from 'vitest'
import { newFileTenant } from '../support/import-files.ts'
import { useService } from '../support/use-service.ts'

/* Each row and each cell of a file is in one figure of the balance, and the figures say what is here. */

const running = useService()

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

async function importFile(module: string, text: string, choices: object = {}, name = 'rows.csv') {
  const tenant = await newFileTenant(running.url)
  return { tenant, ...(await tenant.importText(module, text, name, choices)) }
}

function figuresOf(run: { balance: { files: { columns: { name: string }[] }[] } }) {
  const columns = run.balance.files.flatMap((file) => file.columns)
  return Object.fromEntries(columns.map(({ name, ...figures }) => [name, figures]))
}

describe('rows', () => {
  it('each line of a report is in one figure, by its position', async () => {
    const { run } = await importFile(
      'Contacts',
      lines(
        'Customers of the year',
        'ID,Last Name,Email',
        '1,Arno,arno@x.example',
        '',
        '2,,',
        '3,Cleo,cleo@x.example',
        '1,Arno,arno@x.example',
        '4,Dina,dina@x.example,surplus',
        '',
        'Exported by the office',
      ),
    )
    expect(run.balance).toMatchObject({ closes: true, files: [{ module: 'Contacts', filename: 'rows.csv' }] })
    const { total, ...figures } = run.balance.files[0].rows
    expect({ total, ...figures }).toEqual({
      total: 10,
      blank: 2,
      outside: 3,
      created: 2,
      updated: 0,
      unchanged: 0,
      merged: 0,
      skipped: 0,
      failed: 2,
      repeated: 1,
    })
  })

  it('the same file again is unchanged, and a changed row is updated', async () => {
    const head = 'ID,Last Name'
    const { tenant } = await importFile('Contacts', lines(head, '1,Arno', '2,Bela'))
    const { run } = await tenant.importText('Contacts', lines(head, '1,Arno', '2,Bella'))
    expect(run.balance.files[0].rows).toMatchObject({ total: 3, outside: 1, unchanged: 1, updated: 1 })
  })

  it('a row outside of the days is skipped, and its cells are named', async () => {
    const text = lines('ID,Last Name,Updated', '1,Arno,2024-05-01', '2,Bela,2025-05-01')
    const dateRange = { startDate: '2025-01-01', endDate: null }
    const { run } = await importFile('Contacts', text, { dateRange })
    expect(run.balance.files[0].rows).toMatchObject({ created: 1, skipped: 1 })
    expect(figuresOf(run)['Last Name']).toMatchObject({ cells: 2, stored: 1, named: 1 })
  })

  it('a dry run says the same, and a list of runs has the rows alone', async () => {
    const text = lines('ID,Last Name,Email', '1,Arno,arno@x.example', '2,Bela,no address')
    const { tenant, run: dry } = await importFile('Contacts', text, { dryRun: true })
    const { run } = await tenant.importText('Contacts', text)
    expect(dry.balance.files[0].columns).toEqual(run.balance.files[0].columns)
    expect(dry.balance.files[0].rows).toEqual(run.balance.files[0].rows)
    const { body } = await tenant.send('GET', `${tenant.path}/imports`)
    expect(body.data).toHaveLength(2)
    for (const { balance } of body.data) {
      expect(balance).toMatchObject({ closes: true, files: [{ rows: { total: 3 } }] })
      expect(balance.files[0].columns).toBeUndefined()
    }
  })
})

describe('cells', () => {
  it('each cell is in its target, in a custom field, or named', async () => {
    const { run, customers } = await importFile(
      'Contacts',
      lines(
        'ID,Last Name,Email,Phone,Phone,City,Empty',
        '1,Arno,arno@x.example,+493011111,+493022222,Bonn,',
        '2,Bela,no address,,,Ulm,',
      ),
    )
    expect(figuresOf(run)).toMatchObject({
      ID: { target: 'id', cells: 2, stored: 2 },
      'Last Name': { target: 'lastName', cells: 2, stored: 2 },
      Email: { target: 'email', cells: 2, stored: 1, named: 1 },
      Phone: { target: 'phone', cells: 1, stored: 1 },
      'Phone 2': { target: 'phone', cells: 1, kept: 1 },
      City: { target: 'customFields.City', cells: 2, kept: 2 },
      Empty: { cells: 0 },
    })
    expect(customers).toMatchObject([
      { customFields: { 'Phone 2': '+493022222', City: 'Bonn' } },
      { customFields: { Email: 'no address', City: 'Ulm' } },
    ])
  })

  it('a column that a person maps to nothing is left out', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.send('PUT', tenant.path, { mapping: { Contacts: { City: null } } })
    const { run } = await tenant.importText('Contacts', lines('ID,Last Name,City', '1,Arno,Bonn'))
    expect(figuresOf(run)['City']).toMatchObject({ target: null, cells: 1, leftOut: 1, kept: 0 })
  })

  it('a value that gives way to another one here is named, by its column', async () => {
    const tenant = await newFileTenant(running.url)
    const profile = { lastName: 'Arno', email: 'arno@x.example', phone: '+493099999' }
    await tenant.send('POST', '/api/v1/customers', profile)
    const text = lines('ID,Last Name,Email,Phone', '1,Arno,arno@x.example,+493011111')
    const { run, customers, issues } = await tenant.importText('Contacts', text)
    expect(customers).toMatchObject([{ profile: { phone: '+493099999' } }])
    expect(figuresOf(run)['Phone']).toMatchObject({ cells: 1, stored: 0, named: 1 })
    expect(issues).toMatchObject([{ code: 'CONFLICT_KEPT', column: 'Phone', count: 1 }])
  })

  it('of a conversation: the address beside an id, and the word of a status', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.importText('Contacts', lines('ID,Last Name,Email', '7,Arno,arno@x.example'))
    const head = 'Ticket ID,Subject,Status,Customer ID,Customer Email'
    const text = lines(head, '1,Hello,odd word,7,arno@x.example')
    const { run, conversations } = await tenant.importText('Cases', text)
    expect(figuresOf(run)).toMatchObject({
      Status: { cells: 1, named: 1 },
      'Customer ID': { cells: 1, stored: 1 },
      'Customer Email': { cells: 1, kept: 1 },
    })
    expect(conversations[0].customFields).toMatchObject({ 'Customer Email': 'arno@x.example' })
  })

  it('of a note, which has no custom fields: each cell is stored or named', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.importText('Contacts', lines('ID,Last Name', '7,Arno'))
    const text = lines('ID,Content,Contact ID,Mood', '1,Hello,7,good')
    const { run } = await tenant.importText('Notes', text)
    expect(figuresOf(run)).toMatchObject({
      Content: { cells: 1, stored: 1 },
      Mood: { cells: 1, named: 1, kept: 0 },
    })
  })
})
