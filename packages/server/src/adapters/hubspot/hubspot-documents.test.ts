import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  objectTypes as emulatedTypes,
  ObjectSet,
} from '../../../../../examples/hubspot-emulator/src/objects.ts'
import { openHubspot } from '../../../test/support/hubspot-account.ts'
import { strayFields, strayRequest, type VendorDocument } from '../../../test/support/vendor-documents.ts'
import { sourceModules } from '../../ports/connector.ts'
import { mappedProperties, objectTypes, systemProperties } from './hubspot-mapping.ts'

interface HubspotDocument extends VendorDocument {
  readonly properties: Readonly<Record<string, readonly string[]>>
}

const file = new URL('../../../../../examples/hubspot-emulator/fields.json', import.meta.url)
const document = JSON.parse(readFileSync(file, 'utf8')) as HubspotDocument
const signal = new AbortController().signal
const counts = { contacts: 3, companies: 3, deals: 3, tickets: 3, notes: 3, emails: 3 }

const replies = [
  ['/account-info/2026-03/details', 'PortalInformationResponse'],
  ['/crm/owners/2026-03', 'CollectionResponsePublicOwnerForwardPaging'],
  ['/crm/properties/2026-03/contacts', 'CollectionResponsePropertyNoPaging'],
  ['/crm/pipelines/2026-03/deals', 'CollectionResponsePipelineNoPaging'],
  ['/crm/pipelines/2026-03/tickets', 'CollectionResponsePipelineNoPaging'],
  [
    '/crm/objects/2026-03/tickets?limit=2&properties=subject&associations=contacts',
    'CollectionResponseSimplePublicObjectWithAssociationsForwardPaging',
  ],
  [
    '/crm/objects/2026-03/contacts?archived=true&limit=1',
    'CollectionResponseSimplePublicObjectWithAssociationsForwardPaging',
  ],
  ['/crm/objects/2026-03/unknown', 'Error'],
  ['/conversations/conversations/2026-09/threads?limit=1', 'CollectionResponsePublicThreadForwardPaging'],
  ['/conversations/conversations/2026-09/threads/9001', 'PublicThread'],
  [
    '/conversations/conversations/2026-09/threads/9001/messages?limit=3',
    'CollectionResponsePublicMessageForwardPaging',
  ],
  ['/conversations/conversations/2026-09/threads/9001/messages/b0/original-content', 'PublicMessageContent'],
] as const

const sent = [
  ['/crm/objects/2026-03/contacts/search', { limit: 2 }, 'CollectionResponseWithTotalSimplePublicObject'],
  [
    '/crm/objects/2026-03/contacts/batch/read',
    { inputs: [{ id: '503' }], properties: ['email'] },
    'BatchResponseSimplePublicObject',
  ],
  [
    '/crm/objects/2026-03/contacts/batch/read',
    { inputs: [{ id: '9' }] },
    'BatchResponseSimplePublicObjectWithErrors',
  ],
  [
    '/crm/associations/2026-03/contacts/companies/batch/read',
    { inputs: [{ id: '503' }] },
    'BatchResponsePublicAssociationMultiWithLabel',
  ],
] as const

test('the replies of the HubSpot emulator have the fields of the vendor’s document, and no others', async () => {
  const { emulator } = await openHubspot({ counts, threads: 3, linksOfObject: 2 })
  const contacts = emulator.api.objects('contacts')
  for (const index of [0, 1]) contacts.archive(contacts.idOf(index))
  const headers = { Authorization: `Bearer ${emulator.newServiceKey()}` }
  for (const [path, schema] of replies) {
    const response = await fetch(`${emulator.url}${path}`, { headers })
    expect([path, strayFields(document, schema, await response.json())]).toEqual([path, []])
  }
  for (const [path, body, schema] of sent) {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${emulator.url}${path}`, init)
    expect([path, strayFields(document, schema, await response.json())]).toEqual([path, []])
  }
})

test('the check of a reply names a field that its document does not have, and one that is missing', () => {
  const owner = { id: '1', type: 'PERSON', createdAt: '', updatedAt: '', archived: false }
  const listed = (given: object) =>
    strayFields(document, 'CollectionResponsePublicOwnerForwardPaging', { results: [given] })
  expect(listed(owner)).toEqual([])
  const { id: _, ...without } = owner
  const at = 'CollectionResponsePublicOwnerForwardPaging.results'
  expect(listed({ ...without, isClosed: true })).toEqual([
    `${at}.id is missing`,
    `${at}.isClosed is in no document`,
  ])
})

test('the requests of the HubSpot connector have the paths and the names of the vendor’s document', async () => {
  const { connection, emulator } = await openHubspot({ counts, threads: 3 })
  await connection.identify(signal)
  for (const since of [null, '2026-01-01T00:00:00.000Z'])
    for (const module of sourceModules) {
      const window = { since, before: null }
      await connection.count(module, window, signal)
      for await (const page of connection.pages(module, { window, from: null, signal })) {
        const ids = page.records.map(({ id }) => id)
        if (ids.length > 0) await connection.byIds(module, ids, signal)
      }
      for await (const _ of connection.deleted(module, '2026-01-01T00:00:00.000Z', signal));
    }
  expect(emulator.log.flatMap((request) => strayRequest(document, request))).toEqual([])
  expect(emulator.log.filter(({ status }) => status !== 200)).toEqual([])
  expect(strayRequest(document, { method: 'GET', path: '/crm/owners/2026-03', query: { no: '1' } })).toEqual([
    'GET /crm/owners/2026-03: no is in no document',
  ])
})

test('the properties of the HubSpot connector and of its emulator stand in the list of its emulator', () => {
  const namesOf = (type: string) => [
    ...(document.properties[type] ?? []),
    ...(document.properties['every'] ?? []),
  ]
  for (const [module, type] of Object.entries(objectTypes)) {
    const used = Object.keys(mappedProperties[module as keyof typeof mappedProperties])
    expect([type, used.filter((name) => !namesOf(type).includes(name))]).toEqual([type, []])
  }
  for (const type of emulatedTypes) {
    const offered = [0, 1, 2, 3].flatMap((index) => Object.keys(new ObjectSet(type, 4).at(index).properties))
    expect([type, offered.filter((name) => !namesOf(type).includes(name))]).toEqual([type, []])
  }
  expect([...systemProperties].filter((name) => !namesOf('every').includes(name))).toEqual([])
})
