import { expect, it } from 'vitest'
import { openHubspot } from '../../../test/support/hubspot-account.ts'

const signal = new AbortController().signal
const counts = { contacts: 4, companies: 4, deals: 3, tickets: 4, notes: 2, calls: 1 }

async function open(options: Parameters<typeof openHubspot>[0] = {}) {
  const account = await openHubspot({ counts, ...options })
  const { api } = account.emulator
  return { ...account, api }
}

it('a contact of HubSpot has the name of its primary company, and keeps another text beside it', async () => {
  const { connection, api } = await open({ linksOfObject: 2 })
  api.objects('companies').update('502', { name: 'Zylker' })
  const [first] = await connection.byIds('Contacts', ['502'], signal)
  expect([first?.fields.company, first?.customFields['company']]).toEqual(['Zylker', 'Company 1'])
  for await (const page of connection.pages('Contacts', {
    window: { since: null, before: null },
    from: null,
    signal,
  }))
    expect(page.records.map(({ fields }) => fields.company)).toEqual([
      'Company 0',
      'Zylker',
      'Company 2',
      'Company 3',
    ])
})

it('a contact of HubSpot has its own text as company where companies may not be read', async () => {
  const { connection, api } = await open()
  api.objects('companies').update('501', { name: 'Zylker' })
  api.refuse('/companies')
  const [contact] = await connection.byIds('Contacts', ['501'], signal)
  expect(contact?.fields.company).toBe('Company 0')
})

it('all properties of a HubSpot contact with a value are custom fields, in the words of people', async () => {
  const { connection, api } = await open({ customProperties: 2 })
  const [contact] = await connection.byIds('Contacts', ['501'], signal)
  expect(contact?.customFields).toEqual({
    city: 'Dublin',
    hs_lead_status: 'Open deal',
    hubspot_owner_id: 'Mia Agent',
    custom_1: 'custom_1 of 501',
    custom_2: 'custom_2 of 501',
  })
  const fields = await connection.describe('Contacts', signal)
  const field = fields.find(({ apiName }) => apiName === 'hs_lead_status')
  expect(field).toMatchObject({
    mappedTo: 'customFields.hubspot.hs_lead_status',
    options: [
      { value: 'NEW', label: 'New' },
      { value: 'OPEN_DEAL', label: 'Open deal' },
    ],
  })
  // An owner who has left still owns what was theirs; one that nobody can see stays an id.
  api.objects('contacts').update('501', { hubspot_owner_id: '92' })
  api.objects('contacts').update('502', { hubspot_owner_id: '404' })
  const owned = await connection.byIds('Contacts', ['501', '502'], signal)
  expect(owned.map(({ customFields }) => customFields['hubspot_owner_id'])).toEqual(['Lev Gone', '404'])
})

it('without the scope of owners a HubSpot record has their ids', async () => {
  const { connection, api } = await open()
  api.refuse('/crm/owners')
  const [ticket] = await connection.byIds('Cases', ['501'], signal)
  expect(ticket?.customFields['hubspot_owner_id']).toBe('91')
})

it('a HubSpot ticket has its channel, and a status by the name of its stage', async () => {
  const { connection, api } = await open()
  api.objects('tickets').update('501', { hs_pipeline_stage: '2' })
  api.objects('tickets').update('503', { hs_pipeline_stage: '3' })
  const tickets = await connection.byIds('Cases', ['501', '502', '503', '504'], signal)
  expect(
    tickets.map(({ fields, customFields }) => [
      fields.status,
      fields.channel,
      customFields['hs_pipeline_stage'],
    ]),
  ).toEqual([
    ['pending', 'email', 'Waiting on contact'],
    ['closed', 'chat', 'Closed'],
    ['open', 'chat', 'Waiting on us'],
    ['closed', 'phone', 'Closed'],
  ])
  expect(tickets[1]?.fields.closedAt).toBe('2026-02-01T00:00:00.000Z')
  expect(tickets[1]?.customFields).toMatchObject({ hs_pipeline: 'Support Pipeline', source_type: 'Chat' })
})

it('a HubSpot deal that is lost is closed as one that is won, by the probability of its stage', async () => {
  const { connection, api } = await open()
  api.objects('deals').update('503', { dealstage: 'stage_lost', closedate: '2026-03-01T00:00:00Z' })
  const deals = await connection.byIds('Deals', ['501', '502', '503'], signal)
  expect(deals.map(({ fields }) => fields.status)).toEqual(['open', 'closed', 'closed'])
  expect(deals[2]).toMatchObject({
    fields: { closedAt: '2026-03-01T00:00:00.000Z' },
    customFields: { dealstage: 'Lost', pipeline: 'Sales Pipeline' },
  })
})

it('a HubSpot note has the name of its owner, and its own time', async () => {
  const { connection } = await open()
  const [note] = await connection.byIds('Notes', ['501'], signal)
  expect(note).toMatchObject({ createdAt: '2026-05-14T09:00:00.000Z', fields: { ownerName: 'Mia Agent' } })
})

it.each(['Contacts', 'Deals', 'Cases'] as const)(
  'merged %s of HubSpot name the ids of their parts',
  async (module) => {
    const { connection, api } = await open()
    const types = { Contacts: 'contacts', Deals: 'deals', Cases: 'tickets' } as const
    const id = api.objects(types[module]).create({ hs_merged_object_ids: '501;502' })
    const [record] = await connection.byIds(module, [id], signal)
    expect(record?.mergedIds).toEqual(['501', '502'])
  },
)
