// Runs on both databases by day: versions of rows that were merged and are back.

import { expect, it } from 'vitest'
import { newFileTenant } from '../support/import-files.ts'
import { useService } from '../support/use-service.ts'

/* The undo of an import, `POST /api/extcrm/integrations/{id}/imports/{runId}/undo`, after a merge and after its way back. */

const running = useService()

async function newTenant() {
  const tenant = await newFileTenant(running.url)
  const { path, send } = tenant
  const customers = '/api/v1/customers'
  const expectStatus = async (status: number, method: string, at: string, body?: object) => {
    const response = await send(method, at, body)
    expect([response.status, response.body.error]).toEqual([status, undefined])
    return response.body.data
  }
  return {
    ...tenant,
    get: async (id: string) => (await send('GET', `${customers}/${id}`)).body.data,
    customer: async (fields: object) => (await expectStatus(201, 'POST', customers, fields))._id as string,
    put: (id: string, fields: object) => expectStatus(200, 'PUT', `${customers}/${id}`, fields),
    merge: (id: string, sourceId: string) =>
      expectStatus(200, 'POST', `${customers}/${id}/merge`, { sourceId }),
    unmerge: (id: string, sourceId: string) =>
      expectStatus(200, 'POST', `${customers}/${id}/unmerge`, { sourceId }),
    /** Takes a run back, and returns how, with the modules of the rows that stay. */
    async undo({ _id }: { _id: string }) {
      expect((await send('POST', `${path}/imports/${_id}/undo`)).status).toBe(202)
      await tenant.finished()
      const { undo } = (await send('GET', `${path}/imports/${_id}`)).body.data
      const kept = (await send('GET', `${path}/imports/${_id}/errors?severity=kept`)).body.data
      return {
        ...undo,
        codes: kept.map(({ code }: { code: string }) => code),
        ids: kept.map(({ externalId }: { externalId: string | null }) => externalId?.replace(/^.*:/, '')),
      }
    },
  }
}

const head = 'Id,First Name,Email,Company,Secondary Email'
const ada = '1,Ada,ada@people.test,Engines,ada@home.test'
const text = (...rows: string[]) => [head, ...rows].join('\n')
const addressesOf = ({ addresses }: { addresses: { address: string }[] }) =>
  addresses.map(({ address }) => address)

type Tenant = Awaited<ReturnType<typeof newTenant>>

async function importedAda(tenant: Tenant) {
  const { run, customers } = await tenant.importText('Contacts', text(ada))
  const [made] = customers.filter(
    ({ profile }: { profile: { firstName: string } }) => profile.firstName === 'Ada',
  )
  return { run, id: made._id as string }
}

it('keeps a customer whom the run made and who was merged and is back, with everything', async () => {
  const tenant = await newTenant()
  const target = await tenant.customer({ firstName: 'T', email: 't@people.test' })
  const { run, id } = await importedAda(tenant)
  const before = await tenant.get(id)
  await tenant.merge(target, id)
  await tenant.unmerge(target, id)
  expect(await tenant.undo(run)).toMatchObject({
    status: 'done',
    removed: 0,
    restored: 0,
    codes: ['CHANGED_SINCE'],
  })
  const after = await tenant.get(id)
  expect([after.profile, addressesOf(after)[0]]).toEqual([before.profile, 'ada@people.test'])
  expect(await tenant.get(target)).toMatchObject({ profile: { firstName: 'T', email: 't@people.test' } })
})

it('keeps the customer into whom one of the run was merged, and the merge can be taken back after it', async () => {
  const tenant = await newTenant()
  const target = await tenant.customer({ firstName: 'T', email: 't@people.test' })
  const { run, id } = await importedAda(tenant)
  await tenant.merge(target, id)
  expect(await tenant.undo(run)).toMatchObject({ status: 'done', removed: 0, codes: ['CHANGED_SINCE'] })
  expect(await tenant.get(target)).toMatchObject({ profile: { firstName: 'T', company: 'Engines' } })
  const { source } = await tenant.unmerge(target, id)
  expect(source.profile).toMatchObject({ firstName: 'Ada', email: 'ada@people.test' })
  // The run gave the further address, and its undo has taken it.
  expect(addressesOf(await tenant.get(id))).toEqual(['ada@people.test'])
  expect(addressesOf(await tenant.get(target))).toEqual(['t@people.test'])
  expect(await tenant.get(target)).toMatchObject({ profile: { firstName: 'T', company: null } })
})

it('names the first record of each customer that stays, in order, when two of the run were merged', async () => {
  const tenant = await newTenant()
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const rows = names.flatMap((name) => [1, 2].map((n) => `${name}${n},Ada,${name}${n}@people.test,,`))
  const { run, customers } = await tenant.importText('Contacts', text(...rows))
  const idOf = (email: string) =>
    customers.find(({ profile }: { profile: { email: string } }) => profile.email === email)._id as string
  for (const name of names) await tenant.merge(idOf(`${name}2@people.test`), idOf(`${name}1@people.test`))
  const { removed, ids } = await tenant.undo(run)
  expect([removed, ids]).toEqual([0, names.map((name) => `${name}1`)])
})

it.each(['source', 'target'])(
  'keeps the values that the run gave to the %s of a merge that was taken back',
  async (role) => {
    const tenant = await newTenant()
    const known = await tenant.customer({ firstName: 'Ada', email: 'ada@people.test' })
    const other = await tenant.customer({ firstName: 'O' })
    const { run, id } = await importedAda(tenant)
    expect(id).toBe(known)
    const [target, source] = role === 'source' ? [other, known] : [known, other]
    await tenant.merge(target, source)
    await tenant.unmerge(target, source)
    // The row that is back counts its versions anew: one of them is that which the run has left.
    await tenant.put(known, { jobTitle: 'Countess' })
    expect(await tenant.undo(run)).toMatchObject({ status: 'done', restored: 0, codes: ['CHANGED_SINCE'] })
    expect(await tenant.get(known)).toMatchObject({ jobTitle: 'Countess', profile: { company: 'Engines' } })
  },
)

it('takes back what a run changed after the way back, and the run before it stays', async () => {
  const tenant = await newTenant()
  const target = await tenant.customer({ firstName: 'T' })
  const first = await importedAda(tenant)
  await tenant.merge(target, first.id)
  await tenant.unmerge(target, first.id)
  const second = await tenant.importText('Contacts', text(ada.replace('Engines', 'Looms')))
  expect(await tenant.get(first.id)).toMatchObject({ profile: { company: 'Looms' } })
  expect(await tenant.undo(second.run)).toMatchObject({ status: 'done', removed: 0, restored: 1, codes: [] })
  expect(await tenant.get(first.id)).toMatchObject({ profile: { company: 'Engines' } })
  expect(await tenant.undo(first.run)).toMatchObject({ status: 'done', removed: 0, codes: ['CHANGED_SINCE'] })
  expect(await tenant.get(first.id)).toMatchObject({ profile: { firstName: 'Ada' } })
})

it('keeps the conversations of the run that went with the customer and are back', async () => {
  const tenant = await newTenant()
  const target = await tenant.customer({ firstName: 'T' })
  const { id } = await importedAda(tenant)
  const cases = 'Id,Subject,Description,Customer Id\n7,Lamp,It is broken,1'
  const { run, conversations } = await tenant.importText('Cases', cases)
  const [conversation] = conversations
  expect(conversation.customerId._id ?? conversation.customerId).toBe(id)
  const messages = async () =>
    (await tenant.send('GET', `/api/v1/conversations/${conversation._id}/messages`)).body.data.length
  const before = await messages()
  await tenant.merge(target, id)
  await tenant.unmerge(target, id)
  expect(await tenant.undo(run)).toMatchObject({ status: 'done', removed: 0 })
  const { data } = (await tenant.send('GET', `/api/v1/conversations/${conversation._id}`)).body
  expect([data.customerId._id, await messages()]).toEqual([id, before])
})
