// Runs on both databases by day: two removals at one moment.

import { describe, expect, it } from 'vitest'
import { removeAttachment } from '../../src/shared/remove-attachment.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { newFileTenant } from '../support/import-files.ts'
import { useService } from '../support/use-service.ts'
import { textRows, workbookOf } from '../support/workbook-of.ts'
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
    ['of too many tables', zipOf(manyTables()), 'too_many'],
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

describe('an archive that is uploaded without a module', () => {
  const notes = 'Note,Parent Id\nCalled,7\n'

  it('is a file of each module, found by the names of its tables, and its import reads them all', async () => {
    const tenant = await newFileTenant(running.url)
    const archive = zipOf({
      'export/': '',
      'export/tickets.csv': cases,
      'export/Users.csv': Buffer.from(people, 'latin1'),
      'export/notes.json': JSON.stringify([
        { 'Note Content': 'Called', 'Parent Id': '7', 'Parent Module': 'Cases' },
      ]),
      'export/.DS_Store': 'x',
      '__MACOSX/export/._tickets.csv': 'x',
    })
    const { status, body } = await tenant.uploadAll(archive)
    expect(status).toBe(201)
    const ofAll = { filename: 'export.zip', size: archive.length, survey: { status: 'running' } }
    expect(body.data).toMatchObject([
      {
        ...ofAll,
        module: 'Cases',
        sheet: 'export/tickets.csv',
        format: 'csv',
        headers: cases.split('\n')[0]?.split(','),
      },
      { ...ofAll, module: 'Contacts', sheet: 'export/Users.csv', encoding: 'windows-1252', delimiter: ';' },
      { ...ofAll, module: 'Notes', sheet: 'export/notes.json', format: 'json' },
    ])
    expect(body.data[1].columns[1]).toMatchObject({ name: 'Last Name', samples: ['M\u00fcller'] })
    expect(new Set(body.data.map(({ _id }: { _id: string }) => _id)).size).toBe(3)
    expect(JSON.stringify(body)).not.toContain('archiveId')
    const { customers, conversations, run } = await tenant.importUploaded()
    expect(run.status).toBe('completed')
    expect(customers).toMatchObject([{ profile: { lastName: 'M\u00fcller' } }])
    expect(conversations).toMatchObject([{ subject: 'Lamp', customerId: customers[0]._id }])
    const thread = await tenant.send('GET', `/api/v1/conversations/${conversations[0]._id}/messages`)
    expect(thread.body.data.map(({ content }: { content: string }) => content)).toContain('Called')
  })

  it('replaces earlier files of its modules alone, and each of its files is changed and deleted alone', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.upload('Cases', cases.replace('Lamp', 'Chair'))
    await tenant.upload('Calls', 'Subject\nFirst call\n')
    const { body } = await tenant.uploadAll(zipOf({ 'contacts.csv': people, 'cases.csv': cases }))
    const [contacts, ofCases] = body.data
    const list = async () => (await tenant.send('GET', `${tenant.path}/files`)).body.data
    const modules = async () => (await list()).map(({ module }: { module: string }) => module).sort()
    expect(await modules()).toEqual(['Calls', 'Cases', 'Contacts'])
    const pathOf = ({ _id }: { _id: string }) => `${tenant.path}/files/${_id}`
    const changed = await tenant.send('PUT', pathOf(contacts), { headerRow: 0 })
    expect(changed.body.data).toMatchObject({ headerRow: 0, sheet: 'contacts.csv' })
    expect((await tenant.send('GET', pathOf(ofCases))).body.data.headerRow).toBe(1)
    expect((await tenant.send('DELETE', pathOf(contacts))).status).toBe(200)
    // The bytes stay for the other file.
    expect((await tenant.send('GET', pathOf(ofCases))).body.data.columns[1].samples).toEqual(['Lamp'])
    const { conversations, customers } = await tenant.importUploaded()
    expect(conversations.map(({ subject }: { subject: string }) => subject)).toContain('Lamp')
    expect(customers).toEqual([])
  })

  async function uploadTwo() {
    const tenant = await newFileTenant(running.url)
    const { body } = await tenant.uploadAll(zipOf({ 'contacts.csv': people, 'cases.csv': cases }))
    const store = running.service.storage.forTenant(tenant.tenant._id as TenantId)
    const [first, second]: [string, string] = body.data.map(({ _id }: { _id: string }) => _id)
    const archiveId = (await store.importFiles.find(first))?.archiveId ?? ''
    expect((await store.attachments.find(archiveId))?.erasedAt).toBeNull()
    return {
      tenant,
      store,
      first,
      second,
      remove: (id: string) => tenant.send('DELETE', `${tenant.path}/files/${id}`),
      /** Whether the bytes are deleted, or are about to be. */
      isErased: async () => (await store.attachments.find(archiveId))?.erasedAt !== null,
      archiveId,
    }
  }

  it('keeps its bytes until the last of its files is removed', async () => {
    const { first, second, remove, isErased } = await uploadTwo()
    expect([(await remove(first)).status, await isErased()]).toEqual([200, false])
    expect([(await remove(second)).status, await isErased()]).toEqual([200, true])
  })

  it('gives up its bytes when its files are removed at one moment', async () => {
    const { first, second, remove, isErased } = await uploadTwo()
    const removals = await Promise.all([remove(first), remove(second)])
    expect([...removals.map(({ status }) => status), await isErased()]).toEqual([200, 200, true])
  })

  it('has no file any more when its bytes are removed after their time', async () => {
    const { tenant, store, archiveId } = await uploadTwo()
    const surveys = async () => {
      const { body } = await tenant.send('GET', `${tenant.path}/files`)
      return body.data.map(({ survey }: { survey: { status: string } }) => survey.status)
    }
    await expect.poll(surveys).toEqual(['done', 'done'])
    const bytes = await store.attachments.find(archiveId)
    if (bytes === undefined) throw new Error('there are no bytes')
    const { attachments } = running.service
    const now = new Date().toISOString()
    expect(await removeAttachment({ store, attachments, now }, bytes)).toBe(true)
    expect((await tenant.send('GET', `${tenant.path}/files`)).body.data).toEqual([])
  })

  it('is removed as a whole when a file of it names an erased person in its header', async () => {
    const tenant = await newFileTenant(running.url)
    const person = await tenant.send('POST', '/api/v1/customers', { email: 'ada@x.example' })
    const archive = zipOf({ 'contacts.csv': 'ada@x.example,Ada\nbob@x.example,Bob\n', 'cases.csv': cases })
    const { body } = await tenant.uploadAll(archive, 'export.zip', { headerRow: '1' })
    expect(body.data.map(({ module }: { module: string }) => module)).toEqual(['Contacts', 'Cases'])
    await tenant.send('DELETE', `/api/v1/customers/${person.body.data._id}`)
    expect((await tenant.send('GET', `${tenant.path}/files`)).body.data).toEqual([])
  })

  it.each([
    ['an entry that is no table', { 'contacts.csv': people, 'readme.pdf': 'x' }, 'entry', 'readme.pdf'],
    ['a table whose name says no module', { 'contacts.csv': people, 'b.csv': people }, 'entry', 'b.csv'],
    ['a table whose name says two modules', { 'contact-notes.csv': notes }, 'entry', 'Contacts or Notes'],
    ['two tables of one module', { 'contacts.csv': people, 'users.csv': people }, 'duplicate', 'Contacts'],
    ['no table', { '.DS_Store': 'x' }, 'entry', 'no table'],
    ['a table without rows', { 'contacts.csv': people, 'cases.csv': 'Subject\n' }, 'empty', 'cases.csv'],
    ['too many tables', manyTables(), 'too_many', '20'],
    [
      'a table that unpacks to far more',
      { 'cases.csv': Buffer.alloc(110 * 1024 ** 2, 'a') },
      'ratio',
      'bytes',
    ],
  ])('is refused as a whole for %s, and leaves no file', async (_which, entries, rule, word) => {
    const tenant = await newFileTenant(running.url)
    const { status, body } = await tenant.uploadAll(zipOf(entries))
    const message = expect.stringContaining(word)
    expect([status, body.details]).toMatchObject([422, [{ field: 'file', rule, message }]])
    expect((await tenant.send('GET', `${tenant.path}/files`)).body.data).toEqual([])
  })

  it('with a password is refused', async () => {
    const tenant = await newFileTenant(running.url)
    const { status, body } = await tenant.uploadAll(withPassword())
    expect([status, body.details]).toMatchObject([422, [{ field: 'file', rule: 'encrypted' }]])
  })

  it.each([
    ['a table', Buffer.from(people), 'contacts.csv'],
    ['a workbook', workbookOf([{ name: 'People', rows: textRows(['ID'], ['1']) }]), 'contacts.xlsx'],
  ])('is no %s: that demands its module', async (_which, content, name) => {
    const tenant = await newFileTenant(running.url)
    const { status, body } = await tenant.uploadAll(content, name)
    expect([status, body.details]).toMatchObject([422, [{ field: 'module', rule: 'required' }]])
  })

  it('names no sheet, because each of its modules has one', async () => {
    const tenant = await newFileTenant(running.url)
    const archive = zipOf({ 'contacts.csv': people })
    const { status, body } = await tenant.uploadAll(archive, 'a.zip', { sheet: 'contacts.csv' })
    expect([status, body.details]).toMatchObject([422, [{ field: 'sheet', rule: 'unknown_field' }]])
  })
})

function manyTables(): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`${at}.csv`, people]))
}

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
