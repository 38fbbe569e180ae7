import { expect, it } from 'vitest'
import { call } from '../support/call.ts'
import { imported } from '../support/customer-doors.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

/** A file with one person, whose external id requests can name before it is imported. */
async function onePerson() {
  const inbox = await makeMailInbox(running)
  const source = imported(inbox, 'file', () => ({}))
  const path = await source.connect()
  const form = {
    module: 'Contacts',
    file: new File(['Id,First Name,Company\n1,Ada,Acme'], 'people.csv'),
  }
  const { token } = inbox.owner
  expect((await call(running.url, { method: 'POST', path: `${path}/files`, token, form })).status).toBe(201)
  const id = `${path.split('/').at(-1)}:Contacts:1`
  return {
    ask: inbox.ask,
    externalId: `file:${id}`,
    import: source.run,
    put: (body: object) =>
      inbox.ask('PUT', `/api/v1/customers/by-external-id/file/${encodeURIComponent(id)}`, body),
    undo: async (run: { _id: string }) => {
      expect((await inbox.ask('POST', `${path}/imports/${run._id}/undo`)).status).toBe(202)
      const status = async () => (await inbox.ask('GET', `${path}/import/status`)).body.data
      await expect.poll(async () => (await status()).run.undo.status).toBe('done')
      return (await status()).run.undo
    },
  }
}

it('an import joins the customer to whom a request gave the id: it fills blank fields, and its undo takes them back alone', async () => {
  const { ask, externalId, put, import: run, undo } = await onePerson()
  const given = (await put({ firstName: 'Put' })).body.data
  expect(given).toMatchObject({ externalIds: [externalId], profile: { firstName: 'Put', company: null } })
  const read = async () => (await ask('GET', `/api/v1/customers/${given._id}`)).body.data
  for (let times = 0; times < 2; times++) {
    const done = await run()
    expect(done.modules.Contacts).toMatchObject({ created: 0, merged: 1 })
    expect((await read()).profile).toMatchObject({ firstName: 'Put', company: 'Acme' })
    expect(await undo(done)).toMatchObject({ removed: 0, restored: 1, kept: 0 })
    expect(await read()).toMatchObject({ externalIds: [externalId], profile: { company: null } })
  }
  expect((await put({ jobTitle: 'Found' })).body.data._id).toBe(given._id)
  expect((await ask('GET', '/api/v1/customers')).body.data).toHaveLength(1)
})

it('after a deletion an import brings nobody back, unless a request has given the id again', async () => {
  const { ask, put, import: run } = await onePerson()
  expect((await run()).modules.Contacts).toMatchObject({ created: 1 })
  const first = (await put({ jobTitle: 'Found' })).body.data
  expect((await ask('DELETE', `/api/v1/customers/${first._id}`)).status).toBe(200)
  expect((await run()).modules.Contacts).toMatchObject({ created: 0, skipped: 1 })
  const second = (await put({ firstName: 'Again' })).body.data
  expect(second._id).not.toBe(first._id)
  expect((await run()).modules.Contacts).toMatchObject({ created: 0, merged: 1, skipped: 0 })
  expect((await ask('GET', `/api/v1/customers/${second._id}`)).body.data.profile).toMatchObject({
    firstName: 'Again',
    company: 'Acme',
  })
})

it('an undo never removes the customer into whom the imported one was merged', async () => {
  const { ask, put, import: run, undo } = await onePerson()
  const done = await run()
  const sourceId = (await put({})).body.data._id
  const target = (await ask('POST', '/api/v1/customers', { firstName: 'Hand' })).body.data._id
  expect((await ask('POST', `/api/v1/customers/${target}/merge`, { sourceId })).status).toBe(200)
  expect(await undo(done)).toMatchObject({ removed: 0, kept: 1 })
  expect((await put({ jobTitle: 'Found' })).body.data._id).toBe(target)
})

it('requests and an import at the same moment make one customer', async () => {
  const { ask, put, import: run } = await onePerson()
  const requests = Array.from({ length: 8 }, (_, at) => put({ firstName: 'Put', jobTitle: `At ${at}` }))
  const [responses] = await Promise.all([Promise.all(requests), run()])
  const { data } = (await ask('GET', '/api/v1/customers')).body
  expect(data).toHaveLength(1)
  for (const { status, body } of responses) expect([status, body.data._id]).toEqual([200, data[0]._id])
})
