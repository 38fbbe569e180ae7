// Runs on both databases by day: removal of rows with all that belongs to them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Doors, openCustomerDoors, peopleOfEmulators } from '../support/customer-doors.ts'

// Every door by which people become customers, against every way in which a customer ends.

let doors: Doors
beforeAll(async () => {
  doors = await openCustomerDoors()
})
afterAll(() => doors.stop())

const path = (id: string) => `/api/v1/customers/${id}`

const ends: readonly ((id: string) => Promise<void>)[] = [
  async function exportedAndDeleted(id) {
    const { ask } = doors.inbox
    expect((await ask('GET', `${path(id)}/export`)).status).toBe(200)
    await deleted(id)
  },
  async function blockedAndDeleted(id) {
    expect((await doors.inbox.ask('POST', `${path(id)}/block`)).status).toBe(200)
    await deleted(id)
  },
  async function grownAndDeleted(id) {
    const { ask } = doors.inbox
    const sourceId = (await ask('POST', '/api/v1/customers', { firstName: 'Ida' })).body.data._id
    expect((await ask('POST', `${path(id)}/merge`, { sourceId })).status).toBe(200)
    await deleted(id)
  },
  async function mergedAndDeleted(id) {
    const { ask } = doors.inbox
    const target = (await ask('POST', '/api/v1/customers', { firstName: 'Jo' })).body.data._id
    expect((await ask('POST', `${path(target)}/merge`, { sourceId: id })).status).toBe(200)
    expect((await ask('GET', path(id))).status).toBe(404)
    await deleted(target)
  },
]

const pathOf = (externalId: string) => {
  const [source = '', ...rest] = externalId.split(':')
  return `/api/v1/customers/by-external-id/${source}/${encodeURIComponent(rest.join(':'))}`
}

async function foundByExternalIds(id: string): Promise<void> {
  const { ask } = doors.inbox
  for (const externalId of (await ask('GET', path(id))).body.data.externalIds) {
    const put = await ask('PUT', pathOf(externalId), { jobTitle: 'Found' })
    expect([put.status, put.body.data?._id, put.body.data?.jobTitle]).toEqual([200, id, 'Found'])
  }
}

async function deleted(id: string): Promise<void> {
  const { ask } = doors.inbox
  const { externalIds } = (await ask('GET', path(id))).body.data
  const response = await ask('DELETE', path(id))
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  expect((await ask('GET', path(id))).status).toBe(404)
  for (const externalId of externalIds) {
    const query = `externalId=${encodeURIComponent(externalId)}`
    expect((await ask('GET', `/api/v1/customers?${query}`)).body.data).toEqual([])
  }
}

describe.each([
  'the API',
  'an external id',
  'a file',
  'Zoho CRM',
  'HubSpot',
  'a mail',
  'the widget',
  'a merge of an imported customer',
  'an undone import that had joined them',
] as const)('a customer who came by %s', (name) => {
  it('is found by the external ids they show, ends in every way, and no later import brings them back', async () => {
    const { open, again } = doors[name]
    const ids = await open(peopleOfEmulators)
    expect(new Set(ids).size).toBe(peopleOfEmulators)
    for (const id of ids) await foundByExternalIds(id)
    for (const [index, end] of ends.entries()) await end(ids[index] ?? '')
    if (again === undefined) return
    expect(await again()).toMatchObject({ created: 0, merged: 0, skipped: peopleOfEmulators })
    for (const id of ids) expect((await doors.inbox.ask('GET', path(id))).status).toBe(404)
  })
})

it('the external id of a deleted imported customer is free in the next request', async () => {
  const { ask } = doors.inbox
  const [id = ''] = await doors['a file'].open(1)
  const { externalIds } = (await ask('GET', path(id))).body.data
  expect((await ask('DELETE', path(id))).status).toBe(200)
  const put = await ask('PUT', pathOf(externalIds[0]), { firstName: 'Kim' })
  expect([put.status, put.body.data?.externalIds]).toEqual([200, externalIds])
  expect(put.body.data._id).not.toBe(id)
  expect((await ask('DELETE', path(put.body.data._id))).status).toBe(200)
})
