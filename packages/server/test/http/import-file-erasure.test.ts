// Runs on both databases by day: many erasures write the same row.

import { describe, expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { call } from '../support/call.ts'
import { historyOf } from '../support/history.ts'
import { newFileTenant } from '../support/import-files.ts'
import { newPackageTenant, packageOf } from '../support/package-of.ts'
import { useService } from '../support/use-service.ts'

/* An uploaded file shows nothing of a person who was erased: `/api/extcrm/integrations/{id}/files/{fileId}`. */

const running = useService()

type Tenant = Awaited<ReturnType<typeof newFileTenant>>

async function newPerson(tenant: Tenant, fields: object): Promise<string> {
  const { status, body } = await tenant.send('POST', '/api/v1/customers', fields)
  expect(status).toBe(201)
  return body.data._id
}

async function erase(tenant: Tenant, id: string): Promise<void> {
  expect((await tenant.send('DELETE', `/api/v1/customers/${id}`)).status).toBe(200)
}

async function shown(tenant: Tenant, fileId: string): Promise<string> {
  const path = `${tenant.path}/files/${fileId}`
  const replies = [
    await tenant.send('GET', path),
    await tenant.send('PUT', path, {}),
    await tenant.send('GET', `${tenant.path}/files`),
  ]
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  return JSON.stringify(replies.map(({ body }) => body))
}

const lines = (...some: string[]) => some.join('\n')

describe('from the erasure of a person on, no read shows of an uploaded file', () => {
  it.each([
    ['alone', 'Ada@People.example'],
    ['beside a name', '"Ada <ada@people.example>"'],
    ['in a list', '"bea@people.example, ada@people.example"'],
  ])('the rows that name their address %s', async (_how, cell) => {
    const tenant = await newFileTenant(running.url)
    const id = await newPerson(tenant, { lastName: 'Maier', email: 'ada@people.example' })
    const text = lines('Id,Last Name,Contact', `1,MaierMarker,${cell}`, '2,Bern,bern@people.example')
    const { body } = await tenant.upload('Contacts', text)
    expect(await shown(tenant, body.data._id)).toContain('MaierMarker')
    await erase(tenant, id)
    const after = await shown(tenant, body.data._id)
    expect(after).not.toContain('MaierMarker')
    expect(after).not.toMatch(/ada@people/i)
    expect(after).toContain('bern@people.example')
  })

  it.each([
    ['a former address', 'Id,Name,E-Mail', '1,FormerMarker,old@people.example'],
    ['a further address', 'Id,Name,E-Mail', '1,FurtherMarker,second@people.example'],
  ])('the rows that name %s', async (_what, head, row) => {
    const tenant = await newFileTenant(running.url)
    const id = await newPerson(tenant, { lastName: 'Maier', email: 'old@people.example' })
    const other = await newPerson(tenant, { lastName: 'Second', email: 'second@people.example' })
    await tenant.send('PUT', `/api/v1/customers/${id}`, { email: 'new@people.example' })
    await tenant.send('POST', `/api/v1/customers/${id}/merge`, { sourceId: other })
    const { body } = await tenant.upload('Contacts', lines(head, row))
    await erase(tenant, id)
    expect(await shown(tenant, body.data._id)).not.toContain('Marker')
  })

  it.each([
    ['with an id', lines('Id,Last Name,City', '1,RowMarker,Bonn', '2,Bern,Ulm')],
    ['without an id', lines('Last Name,City', 'RowMarker,Bonn', 'Bern,Ulm')],
  ])('the rows from which they were made, %s', async (_how, text) => {
    const tenant = await newFileTenant(running.url)
    const { file, customers } = await tenant.importText('Contacts', text)
    const [made] = customers.filter(
      ({ profile }: { profile: { lastName: string } }) => profile.lastName === 'RowMarker',
    )
    await erase(tenant, made._id)
    const after = await shown(tenant, file._id)
    expect(after).not.toContain('RowMarker')
    expect(after).toContain('Bern')
  })

  it('the cases, and the notes of cases, that were theirs', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.importText('Contacts', lines('Id,Last Name', '1,Maier', '2,Bern'))
    const cases = lines('Id,Subject,Customer Id', '11,CaseMarker,1', '12,Lamp,2')
    const { file: caseFile } = await tenant.importText('Cases', cases)
    const notes = lines('Id,Case Id,Content', '21,11,NoteMarker', '22,12,Shines')
    const { file: noteFile, customers } = await tenant.importText('Notes', notes)
    const [made] = customers.filter(
      ({ profile }: { profile: { lastName: string } }) => profile.lastName === 'Maier',
    )
    await erase(tenant, made._id)
    const after = [await shown(tenant, caseFile._id), await shown(tenant, noteFile._id)].join('')
    expect(after).not.toContain('Marker')
    expect(after).toContain('Lamp')
    expect(after).toContain('Shines')
  })

  it('the rejected rows that are theirs', async () => {
    const tenant = await newFileTenant(running.url)
    const id = await newPerson(tenant, { lastName: 'Maier', email: 'ada@people.example' })
    const { run, customers, file } = await tenant.importText(
      'Contacts',
      lines(
        'Id,Last Name,E-Mail',
        '1,Cleo,cleo@people.example',
        '1,IdMarker,other@people.example',
        '2,AddressMarker,ada@people.example,surplus',
        '3,Bern,bern@people.example,surplus',
        '4,Bern,bern@people.example,SurplusMarker ada@people.example',
      ),
    )
    const rejected = async () =>
      String((await tenant.send('GET', `${tenant.path}/imports/${run._id}/rejected`)).body)
    expect((await rejected()).match(/\w+Marker/g)).toEqual(['IdMarker', 'AddressMarker', 'SurplusMarker'])
    const [cleo] = customers.filter(
      ({ profile }: { profile: { lastName: string } }) => profile.lastName === 'Cleo',
    )
    await erase(tenant, id)
    await erase(tenant, cleo._id)
    const after = await rejected()
    expect(after).not.toContain('Marker')
    expect(after).toContain('3,Bern,bern@people.example,surplus')
    expect(await shown(tenant, file._id)).not.toContain('Marker')
  })

  it('the rows of an address that nobody has any more', async () => {
    const tenant = await newFileTenant(running.url)
    const email = 'family@people.example'
    const ids = [
      await newPerson(tenant, { lastName: 'One', email }),
      await newPerson(tenant, { lastName: 'Two', email }),
    ]
    const { body } = await tenant.upload('Contacts', lines('Id,Last Name,E-Mail', `1,FamilyMarker,${email}`))
    await erase(tenant, ids[0] ?? '')
    expect(await shown(tenant, body.data._id)).toContain('FamilyMarker')
    await erase(tenant, ids[1] ?? '')
    expect(await shown(tenant, body.data._id)).not.toContain('FamilyMarker')
  })

  it('anything, when they were taken for the header', async () => {
    const tenant = await newFileTenant(running.url)
    const id = await newPerson(tenant, { lastName: 'Maier', email: 'ada@people.example' })
    const { body } = await tenant.upload(
      'Contacts',
      lines('1,HeaderMarker,ada@people.example', '2,Bern,bern@people.example'),
      'rows.csv',
      { headerRow: '1' },
    )
    expect(body.data.headers).toContain('HeaderMarker')
    await erase(tenant, id)
    expect((await tenant.send('GET', `${tenant.path}/files/${body.data._id}`)).status).toBe(404)
    expect((await tenant.send('GET', `${tenant.path}/files`)).body.data).toEqual([])
  })

  it('the upload, when it is sent again with its Idempotency-Key', async () => {
    const tenant = await newFileTenant(running.url)
    const id = await newPerson(tenant, { lastName: 'Maier', email: 'ada@people.example' })
    const upload = () =>
      call(running.url, {
        method: 'POST',
        path: `${tenant.path}/files`,
        token: tenant.token,
        headers: { 'Idempotency-Key': 'one-upload' },
        form: { module: 'Contacts', file: new File(['Id,Last Name\n1,Maier'], 'rows.csv') },
      })
    const first = await upload()
    expect(first.status).toBe(201)
    await erase(tenant, id)
    const again = await upload()
    expect(again.status).toBe(201)
    expect(again.headers.get('Idempotency-Replayed')).toBeNull()
    expect(again.body.data._id).not.toBe(first.body.data._id)
  })
})

it('an import leaves out the rows of a person who was erased after the upload', async () => {
  const tenant = await newFileTenant(running.url)
  const id = await newPerson(tenant, { lastName: 'Maier', email: 'ada@people.example' })
  await tenant.upload(
    'Contacts',
    lines('Id,Last Name,E-Mail', '1,Maier,ada@people.example', '2,Bern,b@people.example'),
  )
  await erase(tenant, id)
  const { run, customers, issues } = await tenant.importUploaded()
  expect(customers).toMatchObject([{ profile: { lastName: 'Bern' } }])
  expect(run.modules.Contacts).toMatchObject({ created: 1, skipped: 1, failed: 0 })
  expect(issues).toMatchObject([{ code: 'ERASED', count: 1 }])
})

it('30 people who are erased at the same time all leave a file, and none of the erasures is refused', async () => {
  const tenant = await newFileTenant(running.url)
  const names = Array.from({ length: 30 }, (_, at) => `p${at}`)
  const ids: string[] = []
  for (const name of names)
    ids.push(await newPerson(tenant, { lastName: name, email: `${name}@people.example` }))
  const rows = names.map((name) => `${name},Marker,${name}@people.example`)
  const { body } = await tenant.upload(
    'Contacts',
    lines('Id,Last Name,E-Mail', ...rows, 'b,Bern,b@people.example'),
  )
  // Each one twice, as an impatient caller does.
  const answers = await Promise.all(
    [...ids, ...ids].map((id) => tenant.send('DELETE', `/api/v1/customers/${id}`)),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([])
  expect(statuses.filter((status) => status === 200)).toHaveLength(names.length)
  const after = await shown(tenant, body.data._id)
  expect(after).not.toContain('Marker')
  expect(after).toContain('Bern')
})

const dayMs = 24 * 3600 * 1000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

function storeOf({ tenant }: { tenant: { _id: string } }) {
  return running.service.storage.forTenant(tenant._id as TenantId)
}

describe('DELETE /api/extcrm/integrations/{id}/files/{fileId}', () => {
  it('deletes a file with its bytes; its runs and what they imported stay', async () => {
    const tenant = await newFileTenant(running.url)
    const { file, run, customers } = await tenant.importText('Contacts', lines('Id,Last Name', '1,Bern'))
    const path = `${tenant.path}/files/${file._id}`
    expect((await tenant.send('DELETE', path)).status).toBe(200)
    expect((await tenant.send('GET', path)).status).toBe(404)
    expect((await tenant.send('DELETE', path)).status).toBe(404)
    expect((await tenant.send('GET', `${tenant.path}/files`)).body.data).toEqual([])
    const runPath = `${tenant.path}/imports/${run._id}`
    expect((await tenant.send('GET', runPath)).body.data.status).toBe('completed')
    expect((await tenant.send('GET', `${runPath}/rejected`)).status).toBe(410)
    expect((await tenant.send('GET', `/api/v1/customers/${customers[0]._id}`)).status).toBe(200)
    const size = () => running.service.attachments.sizeOf({ tenantId: tenant.tenant._id, id: file._id })
    await expect.poll(async () => await size()).toBeUndefined()
  })

  it('is refused while a run is active', async () => {
    const tenant = await newFileTenant(running.url)
    const { body } = await tenant.upload('Contacts', lines('Id,Last Name', '1,Bern'))
    const store = storeOf(tenant)
    const integration = await store.integrations.find(tenant.path.split('/').at(-1) ?? '')
    if (integration === undefined) throw new Error('there is no integration')
    const { _id: id, version: expectVersion } = integration
    const set = { activeRunId: 'imp_other' }
    const write = { op: 'update', kind: 'integrations', id, expectVersion, set } as const
    await store.commit({ writes: [write], events: [] })
    const path = `${tenant.path}/files/${body.data._id}`
    const refused = await tenant.send('DELETE', path)
    expect(refused).toMatchObject({ status: 409, body: { code: 'IMPORT_IN_PROGRESS' } })
    expect((await tenant.send('GET', path)).status).toBe(200)
    const replaced = await tenant.upload('Contacts', lines('Id,Last Name', '2,Other'))
    expect(replaced).toMatchObject({ status: 409, body: { code: 'IMPORT_IN_PROGRESS' } })
    expect((await tenant.send('GET', path)).body.data.columns[1].samples).toEqual(['Bern'])
  })
})

describe('a file goes 7 days after', () => {
  it('its upload, when no run reads it', async () => {
    const tenant = await newFileTenant(running.url)
    const { body } = await tenant.upload('Contacts', lines('Id,Last Name', '1,Bern'))
    const isDue = async (days: number) => {
      const due = await running.service.storage.system.across.dueAttachments.due(inDays(days), 100)
      return due.some(({ row }) => row._id === body.data._id)
    }
    expect([await isDue(6.9), await isDue(7.1)]).toEqual([false, true])
  })

  it('the last run of its package', async () => {
    const tenant = await newPackageTenant(running.url)
    await tenant.putAll(await packageOf({ records: historyOf(tenant.email) }))
    const integrationId = tenant.path.split('/').at(-1) ?? ''
    const store = storeOf(tenant)
    const { rows: files } = await store.packageFiles.list({ integrationId, page: 1, limit: 100 })
    expect(files.length).toBeGreaterThan(3)
    const soon = inDays(1)
    for (const { _id, attachmentId } of files) {
      const [file, bytes] = [await store.packageFiles.find(_id), await store.attachments.find(attachmentId)]
      if (!file || !bytes) throw new Error('a file is missing')
      const expiresAt = { expiresAt: soon }
      const keptUntil = { keptUntil: soon }
      const writes = [
        { op: 'update', kind: 'packageFiles', id: _id, expectVersion: file.version, set: expiresAt } as const,
        {
          op: 'update',
          kind: 'attachments',
          id: bytes._id,
          expectVersion: bytes.version,
          set: keptUntil,
        } as const,
      ]
      await store.commit({ writes, events: [] })
    }
    const inbox = (await tenant.send('POST', '/api/v1/inboxes', { name: 'Support' })).body.data
    await tenant.send('POST', `${tenant.path}/import`, { inboxes: { i1: inbox._id } })
    await tenant.finished()
    for (const { _id, attachmentId } of files) {
      expect((await store.packageFiles.find(_id))?.expiresAt).toSatisfy((at: string) => at > inDays(6.9))
      expect((await store.attachments.find(attachmentId))?.keptUntil).toSatisfy(
        (at: string) => at > inDays(6.9),
      )
    }
  })
})
