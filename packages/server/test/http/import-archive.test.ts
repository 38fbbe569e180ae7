import { describe, expect, it } from 'vitest'
import { newFileTenant } from '../support/import-files.ts'
import { useService } from '../support/use-service.ts'
import { zipOf } from '../support/zip-of.ts'

/* An archive is read by the file of the module in it: `POST /api/extcrm/integrations/{id}/files`. */

const running = useService()

const people = 'ID;Last Name\n1;M\u00fcller\n'
const cases = 'Case Number,Subject,Contact ID\n7,Lamp,1\n'

describe('an archive of tables', () => {
  it('gives each module the table that is called so', async () => {
    const tenant = await newFileTenant(running.url)
    const archive = zipOf({
      'export/tickets.csv': cases,
      'export/Users.csv': Buffer.from(people, 'latin1'),
      'export/.DS_Store': 'x',
      '__MACOSX/export/._tickets.csv': 'x',
      'export/readme.md': 'words',
    })
    const { status, body } = await tenant.upload('Contacts', archive, 'export.zip')
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      format: 'csv',
      delimiter: ';',
      encoding: 'windows-1252',
      sheet: 'export/Users.csv',
      sheets: ['export/tickets.csv', 'export/Users.csv'],
      columns: [{ name: 'ID' }, { name: 'Last Name', samples: ['M\u00fcller'] }],
    })
    expect((await tenant.upload('Cases', archive, 'export.zip')).body.data.sheet).toBe('export/tickets.csv')
    const { customers, conversations, run } = await tenant.importUploaded()
    expect(run.status).toBe('completed')
    expect(customers).toMatchObject([{ profile: { lastName: 'M\u00fcller' } }])
    expect(conversations).toMatchObject([{ subject: 'Lamp', customerId: customers[0]._id }])
  })

  it('with one table needs no name, and with several a person may name another one', async () => {
    const tenant = await newFileTenant(running.url)
    const one = await tenant.upload('Contacts', zipOf({ 'a.csv': people }), 'a.zip')
    expect(one.body.data.sheet).toBe('a.csv')
    const several = zipOf({ 'a.csv': people, 'b.csv': people.replace('ller', 'nch') })
    const refused = await tenant.upload('Contacts', several, 'a.zip')
    expect([refused.status, refused.body.details]).toMatchObject([422, [{ field: 'sheet', rule: 'entry' }]])
    const twice = zipOf({ 'contacts-1.csv': people, 'contacts-2.csv': people })
    const twoCalled = await tenant.upload('Contacts', twice, 'a.zip')
    expect(twoCalled.body.details).toMatchObject([{ field: 'sheet', rule: 'duplicate' }])
    const { body } = await tenant.upload('Contacts', several, 'a.zip', { sheet: 'b.csv' })
    const path = `${tenant.path}/files/${body.data._id}`
    expect((await tenant.send('GET', path)).body.data.columns[1].samples).toEqual(['M\u00fcnch'])
    expect((await tenant.send('PUT', path, { sheet: 'a.csv' })).body.data.columns[1].samples).toEqual([
      'M\u00fcller',
    ])
  })

  it.each([
    ['without a table', zipOf({ 'picture.png': 'x' }), 'format'],
    [
      'of too many tables',
      zipOf(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`${at}.csv`, people]))),
      'too_many',
    ],
    ['that unpacks to far more', zipOf({ 'a.csv': Buffer.alloc(110 * 1024 ** 2, 'a') }), 'ratio'],
    ['with one name twice', oneNameTwice(), 'duplicate'],
    ['with a password', withPassword(), 'encrypted'],
    [
      'with a picture that is called a table',
      zipOf({ 'a.csv': Buffer.from('89504e470d0a1a0a', 'hex') }),
      'format',
    ],
  ])('%s is refused in words', async (_which, content, rule) => {
    const tenant = await newFileTenant(running.url)
    const { status, body } = await tenant.upload('Contacts', content, 'a.zip')
    expect([status, body.details]).toMatchObject([422, [{ field: 'file', rule }]])
  })
})

/** Both names are as long, so that one can be written over the other. */
function oneNameTwice(): Buffer {
  const archive = zipOf({ 'contacts.csv': people, 'contactz.csv': people })
  return Buffer.from(archive.toString('latin1').replaceAll('contactz', 'contacts'), 'latin1')
}

/** The lowest bit of the flags of an entry says that it is encrypted. */
function withPassword(): Buffer {
  const archive = Buffer.from(zipOf({ 'contacts.csv': people }))
  for (const [signature, flagsAt] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const) {
    const at = archive.indexOf(signature, 0, 'latin1') + flagsAt
    archive.writeUInt16LE(archive.readUInt16LE(at) | 1, at)
  }
  return archive
}
