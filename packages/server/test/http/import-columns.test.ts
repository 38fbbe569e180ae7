import { describe, expect, it } from 'vitest'
import { call, createKey } from '../support/call.ts'
import { newFileTenant } from '../support/import-files.ts'
import { useService } from '../support/use-service.ts'

/* A person sees what a column holds before the import: samples, words, and the place where it goes. `/api/extcrm/integrations/{id}/files`. */

const running = useService()

const tickets = [
  'Ticket-ID;Betreff;Status;Kunde E-Mail;Erstellt am;Telefon;Betrag;Leer;Stufe',
  '1;Drucker;Offen;ada@x.example;31.12.2025;+49 30 1234567;12,50;;A',
  '2;Lampe;Erledigt;bob@x.example;05.01.2026;+49 30 7654321;8,00;;A',
  '3;Stuhl;Offen;cleo@x.example;06.01.2026;;1.000;;B',
  '4;Tisch;Wartet auf Mond;ada@x.example;07.01.2026;(030) 123-4567;7;;A',
  '5;Regal;Offen;;08.01.2026;;7;;A',
].join('\n')

describe('the columns of a file', () => {
  it('have samples, a kind, a target, and the words of a field that takes a few alone', async () => {
    const tenant = await newFileTenant(running.url)
    const { status, body } = await tenant.upload('Cases', tickets)
    expect(status).toBe(201)
    const { columns, rowsRead, headers } = body.data
    expect(rowsRead).toBe(5)
    expect(columns.map(({ name }: { name: string }) => name)).toEqual(headers)
    expect(columns).toMatchObject([
      { position: 1, name: 'Ticket-ID', filled: 5, kind: 'id', target: 'id', samples: ['1', '2', '3'] },
      { name: 'Betreff', kind: 'text', target: 'subject', values: null },
      {
        name: 'Status',
        kind: 'choice',
        target: 'status',
        values: [
          { value: 'Offen', count: 3, meaning: 'open' },
          { value: 'Erledigt', count: 1, meaning: 'closed' },
          { value: 'Wartet auf Mond', count: 1, meaning: null },
        ],
      },
      { name: 'Kunde E-Mail', kind: 'email', filled: 4, target: 'customerEmail' },
      { name: 'Erstellt am', kind: 'date', dateOrder: 'dmy', target: 'createdAt' },
      { name: 'Telefon', kind: 'phone', filled: 3 },
      { name: 'Betrag', kind: 'number', samples: ['12,50', '8,00', '1.000'] },
      { name: 'Leer', kind: 'empty', filled: 0, samples: [] },
      { name: 'Stufe', kind: 'choice', position: 9 },
    ])
  })

  it('are read from the file again, with what the integration sets meanwhile', async () => {
    const tenant = await newFileTenant(running.url)
    const { body } = await tenant.upload('Cases', tickets)
    const set = {
      mapping: { Cases: { Stufe: 'priority', Betreff: null } },
      values: { Cases: { status: { 'wartet auf mond': 'pending' }, priority: { a: 'high' } } },
    }
    expect((await tenant.send('PUT', tenant.path, set)).status).toBe(200)
    const found = (await tenant.send('GET', `${tenant.path}/files/${body.data._id}`)).body.data
    const named = (name: string) => found.columns.find((column: { name: string }) => column.name === name)
    expect(named('Betreff')).toMatchObject({ target: null, suggested: 'subject' })
    expect(named('Status').values[2]).toEqual({ value: 'Wartet auf Mond', count: 1, meaning: 'pending' })
    expect(named('Stufe')).toMatchObject({
      target: 'priority',
      suggested: 'customFields.Stufe',
      values: [
        { value: 'A', count: 4, meaning: 'high' },
        { value: 'B', count: 1, meaning: null },
      ],
    })
  })

  it('of JSON and of a column named like a property of every object are what they are', async () => {
    const tenant = await newFileTenant(running.url)
    const rows = [
      { id: 1, __proto__x: 'a', constructor: 'b', address: { city: 'Bonn' }, vip: true },
      { id: 2, lastName: 'Late', constructor: 'c' },
    ]
    const { body } = await tenant.upload('Contacts', JSON.stringify(rows), 'people.json')
    const samplesOf = Object.fromEntries(
      body.data.columns.map(({ name, samples }: { name: string; samples: string[] }) => [name, samples]),
    )
    expect(samplesOf).toMatchObject({
      'constructor (column 3)': ['b', 'c'],
      vip: ['true'],
      lastName: ['Late'],
    })
  })
})

describe('the rows that were not imported', () => {
  it('are a file that a person corrects and uploads again', async () => {
    const tenant = await newFileTenant(running.url)
    const { run } = await tenant.importText(
      'Contacts',
      [
        'Id;Nachname;E-Mail;Telefon',
        '1;Arno;arno@x.example;+49 30 1',
        '2;Bela;bela@x.example;+49 30 2;=surplus',
        '1;Arno the other;other@x.example;+49 30 3',
        '4;"Cleo',
        '5;Dina;dina@x.example;',
      ].join('\n'),
    )
    const { status, body } = await tenant.send(
      'GET',
      `${tenant.path}/imports/${run._id}/rejected?module=Contacts`,
    )
    expect(status).toBe(200)
    const lines = String(body).split('\r\n')
    expect(lines[0]).toBe('Id,Nachname,E-Mail,Telefon,import row,import code,import message')
    expect(lines[1]).toMatch(/^2,Bela,bela@x\.example,\+49 30 2,'=surplus,3,CELL_COUNT,/)
    expect(lines[2]).toMatch(/^1,Arno the other,other@x\.example,\+49 30 3,4,DUPLICATE_ID,/)

    const corrected = String(body).replace(",'=surplus", '').replace('\r\n1,', '\r\n3,')
    const again = await tenant.importText('Contacts', corrected, 'corrected.csv')
    expect(again.file.mapping).toMatchObject({
      'import row': null,
      'import code': null,
      'import message': null,
    })
    const names = again.customers.map(({ profile }: { profile: { lastName: string } }) => profile.lastName)
    expect(names).toEqual(expect.arrayContaining(['Arno', 'Bela', 'Arno the other', 'Dina']))
  })
})

describe('the rejected rows of a file that was removed', () => {
  const text = 'Id,Nachname\n1,Arno\n2,Bela,surplus\n'

  it.each([
    ['by a person', async (tenant, id) => tenant.send('DELETE', `${tenant.path}/files/${id}`)],
    ['for the next one', async (tenant) => tenant.upload('Contacts', 'Id,Nachname\n3,Cora\n')],
    [
      'from the disk',
      async ({ tenant }, id) => running.service.attachments.remove({ tenantId: tenant._id, id }),
    ],
  ] as [string, (tenant: Awaited<ReturnType<typeof newFileTenant>>, id: string) => Promise<unknown>][])(
    '%s are 410, and the errors of the run stay',
    async (_how, remove) => {
      const tenant = await newFileTenant(running.url)
      const { run, file } = await tenant.importText('Contacts', text)
      const path = `${tenant.path}/imports/${run._id}/rejected`
      expect((await tenant.send('GET', path)).status).toBe(200)
      await remove(tenant, file._id)
      const { status, body } = await tenant.send('GET', path)
      expect([status, body.code]).toEqual([410, 'GONE'])
      const errors = await tenant.send('GET', `${tenant.path}/imports/${run._id}/errors`)
      expect(errors.body.data).toMatchObject([{ row: 3, code: 'CELL_COUNT' }])
    },
  )

  it('are 404 for a module that the run has not read, and for a run of another tenant', async () => {
    const tenant = await newFileTenant(running.url)
    const { run, file } = await tenant.importText('Contacts', text)
    await tenant.send('DELETE', `${tenant.path}/files/${file._id}`)
    const path = `/imports/${run._id}/rejected`
    const other = await newFileTenant(running.url)
    for (const read of [
      tenant.send('GET', `${tenant.path}${path}?module=Deals`),
      other.send('GET', `${tenant.path}${path}`),
    ])
      expect((await read).status).toBe(404)
  })
})

describe('how a file is read', () => {
  it('can be changed after the upload, and the rest is found again', async () => {
    const tenant = await newFileTenant(running.url)
    const text = 'Liste;von;Kunden\nId;Nachname;E-Mail\n1;M\u00fcller;m@x.example\n'
    const { body } = await tenant.upload('Contacts', Buffer.from(text, 'latin1'), 'kunden.csv', {
      headerRow: '1',
      delimiter: ',',
    })
    expect(body.data.headers).toHaveLength(1)
    const path = `${tenant.path}/files/${body.data._id}`
    const changed = await tenant.send('PUT', path, { headerRow: 2, delimiter: null })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toMatchObject({
      delimiter: ';',
      encoding: 'windows-1252',
      headerRow: 2,
      headers: ['Id', 'Nachname', 'E-Mail'],
      columns: [{}, { samples: ['M\u00fcller'], target: 'lastName' }, {}],
    })
    const [file] = (await tenant.send('GET', `${tenant.path}/files`)).body.data
    expect(file).toMatchObject({ _id: body.data._id, headerRow: 2, mapping: { Nachname: 'lastName' } })
    expect(file).not.toHaveProperty('columns')
    await tenant.send('POST', `${tenant.path}/import`, {})
    await expect
      .poll(async () => (await tenant.send('GET', '/api/v1/customers')).body.data)
      .toMatchObject([{ profile: { lastName: 'M\u00fcller', email: 'm@x.example' } }])
  })

  it('refuses what contradicts the bytes, and leaves the file as it was', async () => {
    const tenant = await newFileTenant(running.url)
    const { body } = await tenant.upload('Contacts', 'Id,Name\n1,Ada\n')
    const path = `${tenant.path}/files/${body.data._id}`
    for (const [wrong, rule] of [
      [{ headerRow: 3 }, 'empty'],
      [{ headerRow: 51 }, 'max'],
      [{ encoding: 'klingon' }, 'enum'],
      [{ delimiter: 'ab' }, 'regex'],
    ] as const) {
      const refused = await tenant.send('PUT', path, wrong)
      expect(
        [refused.status, refused.body.details?.[0]?.rule ?? refused.body],
        JSON.stringify(wrong),
      ).toEqual([422, rule])
    }
    expect((await tenant.send('GET', path)).body.data).toMatchObject({ headerRow: 1, delimiter: ',' })
  })

  it('of cases and notes is shown to those who may read conversations', async () => {
    const tenant = await newFileTenant(running.url)
    const { body } = await tenant.upload('Cases', tickets)
    const key = await createKey(running.url, tenant.token, ['read:customers'])
    const path = `${tenant.path}/files/${body.data._id}`
    const refused = await call(running.url, { path, token: key })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ code: 'PERMISSION_DENIED', required: 'read:conversations' })
  })
})
