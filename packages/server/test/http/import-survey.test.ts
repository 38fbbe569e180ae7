import { describe, expect, it } from 'vitest'
import { newFileTenant } from '../support/import-files.ts'
import { useService } from '../support/use-service.ts'
import { zipOf } from '../support/zip-of.ts'

/* Between the upload of a file and its first import the whole file is read once: `GET /api/extcrm/integrations/{id}/files/{fileId}`. */

const running = useService()

type Tenant = Awaited<ReturnType<typeof newFileTenant>>

// biome-ignore lint/suspicious/noExplicitAny: the body of a response.
async function surveyed(tenant: Tenant, fileId: string): Promise<any> {
  const read = async () => (await tenant.send('GET', `${tenant.path}/files/${fileId}`)).body.data
  await expect.poll(async () => (await read()).survey.status).not.toBe('running')
  return read()
}

const lines = (...some: string[]) => some.join('\n')
/** More than the part of a file that its upload looks at. */
const filler = (rowOf: (index: number) => string) => Array.from({ length: 6_000 }, (_, index) => rowOf(index))

describe('the survey of a file', () => {
  it('counts the rows, and finds words and the order of dates behind the beginning', async () => {
    const tenant = await newFileTenant(running.url)
    const rows = filler((index) => `${index},${'Subject '.repeat(5)}${index},New,01/02/2025,`)
    const text = lines(
      'Case Number,Subject,Status,Created At,Late',
      ...rows,
      '6000,Last,On the moon,01/31/2025,here',
    )
    const { body } = await tenant.upload('Cases', text)
    expect(body.data.survey).toEqual({ status: 'running', rows: null, changed: [], error: null })
    const { survey, columns, rowsRead } = await surveyed(tenant, body.data._id)
    expect(survey).toEqual({ status: 'done', rows: 6_001, changed: [], error: null })
    expect(rowsRead).toBe(6_001)
    expect(columns).toMatchObject([
      { name: 'Case Number', filled: 6_001, by: 'suggested' },
      { name: 'Subject' },
      {
        name: 'Status',
        values: [
          { value: 'New', count: 6_000, meaning: 'open' },
          { value: 'On the moon', count: 1, meaning: null },
        ],
      },
      { name: 'Created At', dateOrder: 'mdy' },
      { name: 'Late', filled: 1 },
    ])
  })

  it('names a column that proves no order with its number of dates, until a person chooses for it', async () => {
    const tenant = await newFileTenant(running.url)
    const rows = filler((index) => `${index},${'Subject '.repeat(5)}${index},01/02/2025,05/05/2025`)
    const text = lines('Case Number,Subject,Created At,Closed At', ...rows, '6000,Last,03/04/2025,13/05/2025')
    const { body } = await tenant.upload('Cases', text)
    const of = ({ columns }: { columns: { name: string }[] }) =>
      columns.filter(({ name }) => name.endsWith('At'))
    expect(of(await surveyed(tenant, body.data._id))).toMatchObject([
      { name: 'Created At', dateOrder: null, chosenDateOrder: null, unprovenDates: 6_001 },
      { name: 'Closed At', dateOrder: 'dmy', chosenDateOrder: null, unprovenDates: 0 },
    ])
    await tenant.send('PUT', tenant.path, { dateOrders: { Cases: { 'Created At': 'mdy' } } })
    expect(of(await surveyed(tenant, body.data._id))).toMatchObject([
      { name: 'Created At', dateOrder: null, chosenDateOrder: 'mdy', unprovenDates: 0 },
      { name: 'Closed At', dateOrder: 'dmy', chosenDateOrder: null },
    ])
  })

  it('takes the id away from a column with the ids of others, and people are known by their addresses', async () => {
    const tenant = await newFileTenant(running.url)
    const text = lines(
      'ID,Last Name,E-Mail',
      ...['Arno', 'Bela', 'Cora'].map((name) => `1,${name},${name}@x.example`),
    )
    const { body } = await tenant.upload('Contacts', text)
    expect(body.data.mapping.ID).toBe('id')
    const { run, customers, issues } = await tenant.importUploaded()
    expect([run.status, issues]).toEqual(['completed', []])
    expect(customers.map(({ profile }: { profile: { lastName: string } }) => profile.lastName)).toEqual([
      'Arno',
      'Bela',
      'Cora',
    ])
    const { survey, mapping } = await surveyed(tenant, body.data._id)
    expect([survey.changed, mapping.ID]).toEqual([['ID'], 'customFields.ID'])
  })

  it.each([
    ['that a spreadsheet has rounded', lines('Record ID,Last Name', '7.32839E+18,Arno', '7.1E+18,Cora')],
    ['that are often absent', lines('Record ID,Last Name', '1,Arno', ',Bela', ',Cora')],
  ])('takes the id away from a column with ids %s', async (_which, text) => {
    const tenant = await newFileTenant(running.url)
    const { body } = await tenant.upload('Contacts', text)
    expect((await surveyed(tenant, body.data._id)).survey.changed).toEqual(['Record ID'])
  })

  it.each([
    ['one repeat among hundreds, which the import names', 'ID,Last Name', 400, '7,Other'],
    ['the same rows twice', 'ID,Last Name', 7, '3,N3\n4,N4\n5,N5'],
  ])('leaves the id in a column with %s', async (_which, head, count, more) => {
    const tenant = await newFileTenant(running.url)
    const rows = Array.from({ length: count }, (_, index) => `${index},N${index}`)
    const { body } = await tenant.upload('Contacts', lines(head, ...rows, more))
    const { survey, mapping } = await surveyed(tenant, body.data._id)
    expect([survey.status, survey.changed, mapping.ID]).toEqual(['done', [], 'id'])
  })

  it('changes nothing that a person has decided', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.send('PUT', tenant.path, { mapping: { Contacts: { ID: 'id' } } })
    const { body } = await tenant.upload('Contacts', lines('ID,Last Name', '1,Arno', '1,Bela'))
    const { survey, columns } = await surveyed(tenant, body.data._id)
    expect([survey.changed, columns[0].by, columns[0].target]).toEqual([[], 'person', 'id'])
    const { issues } = await tenant.importUploaded()
    expect(issues).toMatchObject([{ row: 3, code: 'DUPLICATE_ID' }])
  })

  it('changes nothing behind the first import, which others are compared with', async () => {
    const tenant = await newFileTenant(running.url)
    const { file } = await tenant.importText('Contacts', lines('ID;Last Name', '1;Arno', '2;Bela'))
    const path = `${tenant.path}/files/${file._id}`
    expect((await tenant.send('PUT', path, { delimiter: ';' })).status).toBe(200)
    expect(await surveyed(tenant, file._id)).toMatchObject({ survey: { changed: [] }, mapping: { ID: 'id' } })
  })

  it('finds fields of JSON that no record of the beginning has', async () => {
    const tenant = await newFileTenant(running.url)
    const rows = filler((index) =>
      JSON.stringify({ id: `${index}`, lastName: `N${index}`, city: 'Bonn '.repeat(5) }),
    )
    const text = lines(...rows, JSON.stringify({ id: 'last', lastName: 'Last', Email: 'last@x.example' }))
    const { body } = await tenant.upload('Contacts', text, 'rows.ndjson')
    expect(body.data.headers).toEqual(['id', 'lastName', 'city'])
    const { headers, mapping, columns } = await surveyed(tenant, body.data._id)
    expect(headers).toEqual(['id', 'lastName', 'city', 'Email'])
    expect(mapping.Email).toBe('email')
    expect(columns[3]).toMatchObject({ name: 'Email', filled: 1, samples: [] })
  })

  it('is made again for the words of a column that a person maps to a status', async () => {
    const tenant = await newFileTenant(running.url)
    const rows = filler((index) => `${index},${'Subject '.repeat(5)}${index},A`)
    const { body } = await tenant.upload('Cases', lines('Case Number,Subject,Step', ...rows, '6000,Last,B'))
    await surveyed(tenant, body.data._id)
    await tenant.send('PUT', tenant.path, { mapping: { Cases: { Step: 'status' } } })
    const { columns } = await surveyed(tenant, body.data._id)
    expect(columns[2].values).toMatchObject([
      { value: 'A', count: 6_000 },
      { value: 'B', count: 1 },
    ])
  })

  it.each([
    ['with an address', 'ada@people.example'],
    ['without one', ''],
  ])('shows no word of a row whose person is erased, %s', async (_which, email) => {
    const tenant = await newFileTenant(running.url)
    await tenant.importText(
      'Contacts',
      lines('ID,Last Name,E-Mail', `c1,Maier,${email}`, 'c2,Bern,bern@people.example'),
    )
    const rows = filler((index) => `${index},c2,${'Subject '.repeat(5)}${index},New`)
    const text = lines('Case Number,Contact ID,Subject,Status', ...rows, '6000,c1,Hers,WordMarker')
    const { file, customers } = await tenant.importText('Cases', text)
    const before = await surveyed(tenant, file._id)
    expect(JSON.stringify(before)).toContain('WordMarker')
    const [made] = customers.filter(
      ({ profile }: { profile: { lastName: string } }) => profile.lastName === 'Maier',
    )
    expect((await tenant.send('DELETE', `/api/v1/customers/${made._id}`)).status).toBe(200)
    const now = await tenant.send('GET', `${tenant.path}/files/${file._id}`)
    expect(JSON.stringify(now.body)).not.toContain('WordMarker')
    const after = await surveyed(tenant, file._id)
    expect(after.survey.status).toBe('done')
    expect(JSON.stringify(after)).not.toContain('WordMarker')
    expect(after.columns[3].values).toMatchObject([{ value: 'New', count: 6_000 }])
  })
})

describe('an encoding that a row behind the beginning contradicts', () => {
  const inShiftJis = Buffer.from('8365835883678365835883678365835883678365835883678365835883678365', 'hex')
  const bytesOf = (last: Buffer) =>
    Buffer.concat([
      Buffer.from('ID,Last Name\n'),
      ...filler((index) => `${index},`).flatMap((start) => [
        Buffer.from(start),
        inShiftJis,
        Buffer.from('\n'),
      ]),
      ...filler((index) => `${index + 6_000},Late ${'x'.repeat(20)}`).map((row) => Buffer.from(`${row}\n`)),
      Buffer.concat([Buffer.from('last,'), last, Buffer.from('\n')]),
    ])
  const contradicted = bytesOf(Buffer.from([0x4d, 0xff, 0x6c]))

  it.each([
    ['alone', false],
    ['in an archive', true],
  ])(
    'fails the survey with the row, and no import of it starts until a person names the encoding, %s',
    async (_where, isZipped) => {
      const tenant = await newFileTenant(running.url)
      const content = isZipped ? zipOf({ 'contacts.csv': contradicted }) : contradicted
      const { body } = await tenant.upload('Contacts', content, isZipped ? 'contacts.zip' : 'contacts.csv')
      expect(body.data.encoding).toBe('shift_jis')
      const path = `${tenant.path}/files/${body.data._id}`
      const { survey } = await surveyed(tenant, body.data._id)
      expect(survey).toMatchObject({ status: 'failed', error: { code: 'ENCODING', row: 12_002 } })
      expect(survey.error.message).toContain('shift_jis')
      const refused = await tenant.send('POST', `${tenant.path}/import`, {})
      expect([refused.status, refused.body.details[0]]).toMatchObject([
        422,
        { field: 'importContacts', rule: 'unreadable' },
      ])
      // Another change of the file names no encoding.
      await tenant.send('PUT', path, { delimiter: ',' })
      expect((await surveyed(tenant, body.data._id)).survey.status).toBe('failed')
      expect((await tenant.send('PUT', path, { encoding: 'shift_jis' })).status).toBe(200)
      expect((await surveyed(tenant, body.data._id)).survey).toMatchObject({ status: 'done', rows: 12_001 })
    },
  )

  it('is read as the form of the upload names it, and its signs are warnings of their rows', async () => {
    const tenant = await newFileTenant(running.url)
    const { body } = await tenant.upload('Contacts', contradicted, 'contacts.csv', { encoding: 'shift_jis' })
    expect((await surveyed(tenant, body.data._id)).survey.status).toBe('done')
    await tenant.send('POST', `${tenant.path}/import`, { dryRun: true })
    const { run, issues } = await tenant.finished()
    expect(run.modules.Contacts).toMatchObject({ read: 12_001 })
    expect(issues).toMatchObject([{ row: 12_002, column: 'Last Name' }])
  })

  it('says nothing against a file that is whole', async () => {
    const tenant = await newFileTenant(running.url)
    const { body } = await tenant.upload('Contacts', bytesOf(inShiftJis))
    expect((await surveyed(tenant, body.data._id)).survey).toMatchObject({ status: 'done', error: null })
  })
})
