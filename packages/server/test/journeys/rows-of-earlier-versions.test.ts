import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Kind } from '../../src/storage/kinds/registry.ts'
import { call, registerTenant } from '../support/call.ts'
import { changeStoredRow } from '../support/change-stored-row.ts'
import { type Program, runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { newTestWorld, type TestWorld } from '../support/test-world.ts'

// Rows that the program of today would not have written, beside rows that it wrote.

let dataDir: string
let world: TestWorld
let server: Program
let token: string
let good: string
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-rows-'))
  world = newTestWorld()
  server = await startProgram(serverProgram, ['start', '--dev'], environment())
  token = (await registerTenant(server.url)).token
  good = (await send('POST', '/api/v1/customers', { firstName: 'Good', tags: ['vip'] })).body.data._id
})
afterAll(async () => {
  await server.kill('SIGTERM')
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

const environment = () => ({ PORT: '0', CRM_DATA_DIR: dataDir, CRM_LOG_LEVEL: 'fatal', ...world.variables })
const send = (method: string, at: string, body?: object) =>
  call(server.url, { method, path: at, token, body })
const made = async (at: string, body: object): Promise<string> => (await send('POST', at, body)).body.data._id
const change = (kind: Kind, id: string, by: (record: Record<string, unknown>) => Record<string, unknown>) =>
  changeStoredRow(
    {
      databaseUrl: world.variables['CRM_DATABASE_URL'] ?? `sqlite:${path.join(dataDir, 'crm.sqlite')}`,
      kind,
      id,
    },
    by,
  )
const without =
  (...fields: readonly string[]) =>
  (record: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)))
const idsOf = async (at: string) => {
  const response = await send('GET', at)
  expect(response.status).toBe(200)
  return response.body.data.map(({ _id }: { _id: string }) => _id)
}

test('a row without the fields that later versions added is read with their defaults, and can be changed', async () => {
  const customer = await made('/api/v1/customers', { firstName: 'Earlier' })
  await change('customers', customer, without('externalIds', 'tags', 'customFields'))
  expect(await idsOf('/api/v1/customers')).toEqual(expect.arrayContaining([customer, good]))
  expect((await send('GET', `/api/v1/customers/${customer}`)).body.data).toMatchObject({
    externalIds: [],
    tags: [],
  })
  const changed = await send('PUT', `/api/v1/customers/${customer}`, { lastName: 'Version' })
  expect([changed.status, changed.body.data.profile.lastName]).toEqual([200, 'Version'])

  const [inboxId] = await idsOf('/api/v1/inboxes')
  const asked = { subject: 'Earlier', customerId: customer, inboxId }
  const conversation = await made('/api/v1/conversations', asked)
  const later = ['page', 'participants', 'previousConversationId', 'customFields', 'seq']
  await change('conversations', conversation, without(...later))
  expect(await idsOf('/api/v1/conversations')).toContain(conversation)
  const reply = await send('POST', `/api/v1/conversations/${conversation}/messages`, { content: 'Hello' })
  expect(reply.status).toBe(201)
})

test('a row that cannot be read takes no list with it: it is left out, 500 ROW_DAMAGED by id, and doctor names it', async () => {
  const cut = await made('/api/v1/customers', { firstName: 'Cut' })
  const odd = await made('/api/v1/customers', { firstName: 'Odd' })
  await change('customers', cut, without('profile'))
  await change('customers', odd, (record) => ({ ...record, tier: 5 }))
  const listed = await idsOf('/api/v1/customers')
  expect(listed).toContain(good)
  expect(listed).not.toContain(cut)
  expect(listed).not.toContain(odd)
  const byId = await send('GET', `/api/v1/customers/${cut}`)
  expect([byId.status, byId.body.code]).toEqual([500, 'ROW_DAMAGED'])
  const examined = await runProgram(serverProgram, ['doctor', '--all'], { env: environment() })
  expect(examined.code).toBe(1)
  expect(examined.stdout).toMatch(/^✗ rows .*2 rows of customers cannot be read/m)
  expect(examined.stdout).toContain(`${cut} (the stored row has no profile)`)
  expect(examined.stdout).toContain(`${odd} (tier has another type)`)
})
