import { describe, expect, it } from 'vitest'
import { newFileTenant } from '../support/import-files.ts'
import { useService } from '../support/use-service.ts'

/* A row finds the person, or the conversation, that it is about, in this file and in the next one. */

const running = useService()

const lines = (...rows: string[]) => `${rows.join('\n')}\n`
const people = (...rows: string[]) => lines('First Name,Last Name,Email,Phone,City', ...rows)

async function undo({ send, path }: Awaited<ReturnType<typeof newFileTenant>>, runId: string): Promise<void> {
  expect((await send('POST', `${path}/imports/${runId}/undo`)).status).toBe(202)
  const status = async () => (await send('GET', `${path}/imports/${runId}`)).body.data.undo.status
  await expect.poll(status).toBe('done')
}

describe('a person without an id', () => {
  it('is known by e-mail address and name: the next file updates, and changes nothing twice', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.importText('Contacts', people('Arno,Ruiz,arno@x.example,+4930111,Bonn'))
    const again = people('Arno,Ruiz,Arno@X.example,+4930222,Berlin')
    const changed = await tenant.importText('Contacts', again)
    expect(changed.customers).toMatchObject([
      { profile: { phone: '+4930222' }, customFields: { City: 'Berlin' } },
    ])
    expect(changed.run.modules.Contacts).toMatchObject({ updated: 1, created: 0, merged: 0 })
    const same = await tenant.importText('Contacts', again)
    expect(same.run.modules.Contacts).toMatchObject({ unchanged: 1, updated: 0 })
  })

  it('is known under another name by the address', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.importText('Contacts', people('Ada,Maier,ada@x.example,,Bonn'))
    const { customers } = await tenant.importText('Contacts', people('Ada,Ruiz,ada@x.example,,Bonn'))
    expect(customers).toMatchObject([{ profile: { lastName: 'Ruiz' } }])
    const { run } = await tenant.importText('Contacts', people('Ada,Ruiz,ada@x.example,,Ulm'))
    expect(run.modules.Contacts).toMatchObject({ updated: 1 })
  })

  it('two people with one mailbox keep what each row says, in any order', async () => {
    const rows = ['Ann,One,info@x.example,,Bonn', 'Bob,Two,info@x.example,,Ulm']
    const tenant = await newFileTenant(running.url)
    const first = await tenant.importText('Contacts', people(...rows))
    expect(first.issues.map(({ code, row }) => [code, row])).toEqual([
      ...['First Name', 'Last Name', 'City'].map(() => ['CONFLICT_KEPT', 3]),
      ['NAME_DIFFERS', 3],
    ])
    const { run, customers } = await tenant.importText('Contacts', people(...rows.toReversed()))
    expect(customers).toMatchObject([{ profile: { firstName: 'Ann' } }])
    expect(run.modules.Contacts).toMatchObject({ updated: 0, created: 0 })
  })

  it.each(['', ' after a merge'])('stays erased when the import was undone before%s', async (how) => {
    const tenant = await newFileTenant(running.url)
    const person = { firstName: 'Ada', lastName: 'Maier', email: 'ada@x.example' }
    const { body } = await tenant.send('POST', '/api/v1/customers', person)
    let id: string = body.data._id
    const text = lines('ID,Last Name,Email', '4711,Maier,ada@x.example')
    const { run } = await tenant.importText('Contacts', text)
    expect(run.modules.Contacts).toMatchObject({ merged: 1 })
    await undo(tenant, run._id)
    if (how !== '') {
      const other = await tenant.send('POST', '/api/v1/customers', { lastName: 'Ruiz' })
      const merge = { sourceId: id }
      id = other.body.data._id
      expect((await tenant.send('POST', `/api/v1/customers/${id}/merge`, merge)).status).toBe(200)
    }
    expect((await tenant.send('DELETE', `/api/v1/customers/${id}`)).status).toBe(200)
    const again = await tenant.importText('Contacts', text)
    expect(again.customers).toEqual([])
    expect(again.issues).toMatchObject([{ code: 'ERASED', row: 2 }])
  })

  it('stays erased, also under another name', async () => {
    const tenant = await newFileTenant(running.url)
    const { customers } = await tenant.importText('Contacts', people('Ada,Maier,ada@x.example,,Bonn'))
    expect((await tenant.send('DELETE', `/api/v1/customers/${customers[0]._id}`)).status).toBe(200)
    const { issues, customers: left } = await tenant.importText(
      'Contacts',
      people('Ada,Ruiz,ada@x.example,,'),
    )
    expect(left).toEqual([])
    expect(issues).toMatchObject([{ code: 'ERASED' }])
  })

  it('an undo of the second import leaves the first one as it was', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.importText('Contacts', people('Ada,Maier,ada@x.example,,Bonn'))
    const { run } = await tenant.importText('Contacts', people('Ada,Ruiz,ada@x.example,,Ulm'))
    await undo(tenant, run._id)
    const { run: third, customers } = await tenant.importText(
      'Contacts',
      people('Ada,Maier,ada@x.example,,Bonn'),
    )
    expect(customers).toMatchObject([{ profile: { lastName: 'Maier' }, customFields: { City: 'Bonn' } }])
    expect(third.modules.Contacts).toMatchObject({ unchanged: 1, created: 0 })
  })

  it('an undo removes the person whom the import made, also many of them', async () => {
    const tenant = await newFileTenant(running.url)
    const rows = Array.from({ length: 230 }, (_, n) => `P${n},Ruiz,p${n}@x.example,,Bonn`)
    const { run } = await tenant.importText('Contacts', people(...rows))
    await undo(tenant, run._id)
    const { body } = await tenant.send('GET', `${tenant.path}/imports/${run._id}`)
    expect(body.data.undo).toMatchObject({ removed: 230, kept: 0 })
    expect(await tenant.send('GET', '/api/v1/customers')).toMatchObject({
      body: { pagination: { total: 0 } },
    })
  })
})

describe('names and numbers', () => {
  it.each([
    ['Ada Maria Ruiz', { firstName: 'Ada', lastName: 'Maria Ruiz' }],
    ['Ruiz, Ada', { firstName: 'Ada', lastName: 'Ruiz' }],
    ['Cher', { firstName: null, lastName: 'Cher' }],
  ])('the whole name %s is divided', async (name, profile) => {
    const tenant = await newFileTenant(running.url)
    const { customers } = await tenant.importText('Contacts', lines('ID;Name', `1;${name}`))
    expect(customers).toMatchObject([{ profile }])
  })

  it('of several numbers the first that is there counts, and the others are kept', async () => {
    const tenant = await newFileTenant(running.url)
    const text = lines('ID,Last Name,Work Phone,Mobile Phone', '1,A,+4930111,+4930222', '2,B,,+4930333')
    const { customers } = await tenant.importText('Contacts', text)
    expect(customers).toMatchObject([
      { profile: { phone: '+4930111' }, customFields: { 'Mobile Phone': '+4930222' } },
      { profile: { phone: '+4930333' } },
    ])
  })
})

describe('a case', () => {
  it('names its person by e-mail address; a person who is not here is named in the errors', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.upload('Contacts', lines('ID,Last Name,Email', '1,Priya,priya@x.example'))
    const cases = lines(
      'Ticket ID,Subject,Requester email,Status,Closed at,Tags',
      '101,Login,Priya@X.example,Closed,2024-03-01,"vip, beta"',
      '102,Refund,nobody@x.example,Open,,',
    )
    const { conversations, customers, issues } = await tenant.importText('Cases', cases)
    expect(conversations).toMatchObject([
      {
        subject: 'Login',
        customerId: customers[0]._id,
        closedAt: '2024-03-01T00:00:00.000Z',
        labels: ['vip', 'beta'],
      },
      { subject: 'Refund', customerId: null },
    ])
    expect(issues).toMatchObject([{ severity: 'warning', code: 'PARENT_MISSING', row: 3 }])
  })

  it('has the replies of a file of comments, with their authors, times and readers', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.upload('Contacts', lines('id,name,email', '77,Priya Rao,priya@x.example'))
    await tenant.upload(
      'Cases',
      lines('id,requester_id,subject,created_at', '35,77,Login,2024-01-15T10:00:00Z'),
    )
    const comments = lines(
      'id,ticket_id,author_id,author_name,public,body,created_at',
      '1,35,77,Priya,true,Help me,2024-01-15T10:20:00Z',
      '2,35,5,Sam Agent,true,Use the link,2024-01-15T11:20:00Z',
      '3,35,5,Sam Agent,false,She is a VIP,2024-01-15T11:25:00Z',
    )
    const { run, conversations, customers } = await tenant.importText('Notes', comments)
    expect(run).toMatchObject({ status: 'completed', warningCount: 0 })
    const [conversation] = conversations
    expect(conversation).toMatchObject({ messageCount: 2, lastMessageAt: '2024-01-15T11:20:00.000Z' })
    const { body } = await tenant.send('GET', `/api/v1/conversations/${conversation._id}/messages`)
    const byContent = new Map(body.data.map((message: { content: string }) => [message.content, message]))
    expect(byContent.get('Help me')).toMatchObject({
      type: 'reply',
      direction: 'inbound',
      sender: { type: 'customer', _id: customers[0]._id },
      createdAt: '2024-01-15T10:20:00.000Z',
    })
    expect(byContent.get('Use the link')).toMatchObject({
      type: 'reply',
      direction: 'outbound',
      sender: { type: 'user', _id: null, name: 'Sam Agent' },
    })
    expect(byContent.get('She is a VIP')).toMatchObject({ type: 'note', sender: { name: 'Sam Agent' } })
    const again = await tenant.importText('Notes', comments)
    expect(again.conversations).toMatchObject([{ messageCount: 2 }])
    await undo(tenant, run._id)
    expect(await tenant.send('GET', '/api/v1/conversations')).toMatchObject({
      body: { pagination: { total: 0 } },
    })
  })

  it('counts the replies of a later file until that is undone', async () => {
    const tenant = await newFileTenant(running.url)
    await tenant.upload('Cases', lines('id,subject,created_at', '35,Login,2024-01-15T10:00:00Z'))
    const first = await tenant.importText('Contacts', lines('id,name,email', '77,Priya Rao,priya@x.example'))
    const rows = Array.from(
      { length: 250 },
      (_, n) => `${n},35,${n % 2 === 0 ? 77 : 5},true,Text ${n},2024-02-01T10:00:00Z`,
    )
    const comments = lines('id,ticket_id,author_id,public,body,created_at', ...rows)
    const second = await tenant.importText('Notes', comments, undefined, {
      importContacts: false,
      importTickets: false,
    })
    expect(second.conversations).toMatchObject([
      { messageCount: 250, lastMessageAt: '2024-02-01T10:00:00.000Z' },
    ])
    await undo(tenant, second.run._id)
    const path = `/api/v1/conversations/${second.conversations[0]._id}`
    expect((await tenant.send('GET', path)).body.data).toMatchObject({ messageCount: 0, lastMessageAt: null })
    await undo(tenant, first.run._id)
    expect((await tenant.send('GET', path)).status).toBe(404)
  })
})
