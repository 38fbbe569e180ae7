// Runs on both databases by day: an import writes rows of numbers, by which calls are found.

import { manifestName } from '@crmkit/core/package'
import { describe, expect, it } from 'vitest'
import { password, registerTenant } from '../support/call.ts'
import { newFileTenant } from '../support/import-files.ts'
import { kindsHolding } from '../support/kinds-holding.ts'
import { newPackageTenant, packageOf } from '../support/package-of.ts'
import { makeTelephone, telephoneSettings } from '../support/telephone.ts'
import { useService } from '../support/use-service.ts'

/* A person of a file or of a package may have several numbers: a call from each of them finds the person. */

const service = useService(telephoneSettings)

const office = '+49301234567'
const mobile = '+4915123456789'
const head = 'Id,First Name,Email,Phone,Mobile Phone,City'
const text = (...rows: string[]) => `${[head, ...rows].join('\n')}\n`
const ada = '1,Ada,ada@people.test,030 1234567,0151 23456789,Bonn'

async function newTenant() {
  const owner = await registerTenant(service.url)
  const telephone = await makeTelephone(service, owner)
  const files = await newFileTenant(service.url, owner)
  const expectStatus = async (status: number, method: string, path: string, body?: object) => {
    const response = await files.send(method, path, body)
    expect([response.status, response.body.error]).toEqual([status, undefined])
    return response.body.data
  }
  const customers = '/api/v1/customers'
  return {
    ...files,
    ...telephone,
    owner,
    customer: (fields: object) => expectStatus(201, 'POST', customers, fields),
    put: (id: string, fields: object) => expectStatus(200, 'PUT', `${customers}/${id}`, fields),
    merge: (id: string, sourceId: string) =>
      expectStatus(200, 'POST', `${customers}/${id}/merge`, { sourceId }),
    unmerge: (id: string, sourceId: string) =>
      expectStatus(200, 'POST', `${customers}/${id}/unmerge`, { sourceId }),
    call: (fields: object) => expectStatus(201, 'POST', '/api/telephony/calls', fields),
    search: async (words: string) =>
      idsOf((await files.send('GET', `${customers}?search=${encodeURIComponent(words)}`)).body.data),
    async undo({ _id }: { _id: string }) {
      expect((await files.send('POST', `${files.path}/imports/${_id}/undo`)).status).toBe(202)
      await files.finished()
    },
    /** The one customer whom a file of one row makes, and the run. */
    async imported(row = ada) {
      const { run, customers } = await files.importText('Contacts', text(row))
      const id = row.split(',')[0]
      const [one] = customers.filter(({ externalIds }: { externalIds: string[] }) =>
        externalIds.some((externalId) => externalId.endsWith(`:Contacts:${id}`)),
      )
      return { run, ...one } as { run: { _id: string; modules: object }; _id: string }
    },
  }
}
const idsOf = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id).sort()

describe('a call from a further number', () => {
  it('finds the customer of a file, whose number is a custom field too', async () => {
    const tenant = await newTenant()
    const customer = await tenant.imported()
    expect(customer).toMatchObject({
      profile: { phone: '030 1234567' },
      customFields: { 'Mobile Phone': '0151 23456789' },
    })
    const [byOffice, byMobile] = [await tenant.ring(office), await tenant.ring(mobile)]
    expect([byOffice, byMobile]).toMatchObject([{ customerId: customer._id }, { customerId: customer._id }])
    expect(await tenant.search('0151 / 234 567 89')).toEqual([customer._id])
  })

  it('of two customers is given to none, and names both', async () => {
    const tenant = await newTenant()
    const one = await tenant.imported()
    const other = await tenant.customer({ firstName: 'Other', phone: mobile })
    const rung = await tenant.ring(mobile)
    expect(rung.customerId).toBeNull()
    expect(idsOf(rung.candidates)).toEqual(idsOf([one, other]))
  })

  it('finds nobody where the number has no country, or is none', async () => {
    const tenant = await newTenant()
    await tenant.send('PUT', '/api/tenant', { country: null })
    const customer = await tenant.imported()
    await tenant.imported('2,Eve,eve@people.test,,ask at the desk,Bonn')
    expect(await tenant.ring(mobile)).toMatchObject({ customerId: null, candidates: [] })
    // The next file says it as the whole world writes it.
    await tenant.imported('1,Ada,ada@people.test,030 1234567,+49 151 23456789,Bonn')
    expect(await tenant.ring(mobile)).toMatchObject({ customerId: customer._id })
  })
})

describe('an import', () => {
  it('again changes nothing, and a new further number is one more', async () => {
    const tenant = await newTenant()
    const { _id } = await tenant.imported()
    expect((await tenant.imported()).run.modules).toMatchObject({ Contacts: { unchanged: 1, updated: 0 } })
    await tenant.imported(ada.replace('0151 23456789', '0151 99999999'))
    for (const number of [mobile, '+4915199999999'])
      expect(await tenant.ring(number)).toMatchObject({ customerId: _id, candidates: [] })
  })

  it('that joins a customer keeps the number that is not the one of the profile', async () => {
    const tenant = await newTenant()
    const { _id } = await tenant.customer({
      firstName: 'Ada',
      email: 'ada@people.test',
      phone: '+15550100200',
    })
    const joined = await tenant.imported()
    expect(joined).toMatchObject({ _id, profile: { phone: '+15550100200' } })
    for (const number of [office, mobile])
      expect(await tenant.ring(number)).toMatchObject({ customerId: _id })
  })

  it('leaves a number that the team has corrected a former one', async () => {
    const tenant = await newTenant()
    const { _id } = await tenant.imported()
    await tenant.put(_id, { phone: '+15550100200' })
    await tenant.imported(ada.replace('Bonn', 'Ulm'))
    expect(await tenant.ring(office)).toMatchObject({ customerId: null, candidates: [] })
    expect(await tenant.ring(mobile)).toMatchObject({ customerId: _id })
  })

  it('keeps the number of a profile that the source has among the further ones now', async () => {
    const tenant = await newTenant()
    const { _id } = await tenant.imported()
    const swapped = await tenant.imported('1,Ada,ada@people.test,0151 23456789,030 1234567,Bonn')
    expect(swapped).toMatchObject({ _id, profile: { phone: '0151 23456789' } })
    for (const number of [office, mobile])
      expect(await tenant.ring(number)).toMatchObject({ customerId: _id })
    expect((await tenant.exportOf({ _id })).addresses).toMatchObject([{ address: office, until: null }])
  })

  it('finds a customer by a further number as by any number: one whose names agree', async () => {
    const tenant = await newTenant()
    const { _id } = await tenant.imported()
    const joined = await tenant.imported('2,ADA,,0151 23456789,,')
    expect(joined._id).toBe(_id)
    const other = await tenant.imported('3,Grace,,0151 23456789,,')
    expect(other._id).not.toBe(_id)
    const { body } = await tenant.send('GET', `${tenant.path}/imports/${other.run._id}/errors`)
    expect(body.data).toMatchObject([{ code: 'AMBIGUOUS_MATCH', details: { candidates: [_id] } }])
  })

  it('is not decided by the further numbers of its records', async () => {
    const tenant = await newTenant()
    const { _id } = await tenant.customer({ firstName: 'Ada', phone: mobile })
    const other = await tenant.imported('1,Ada,,030 1234567,0151 23456789,')
    expect(other._id).not.toBe(_id)
  })

  it('meets in a dry run the further numbers that it would have written', async () => {
    const tenant = await newTenant()
    const rows = [ada, '2,Grace,,0151 23456789,,']
    const { run, issues } = await tenant.importText('Contacts', text(...rows), 'rows.csv', { dryRun: true })
    expect(run.modules).toMatchObject({ Contacts: { created: 2 } })
    expect(issues.map(({ code }) => code)).toEqual(['AMBIGUOUS_MATCH'])
  })

  it('that is undone takes its numbers back from the customers who stay', async () => {
    const tenant = await newTenant()
    const { _id } = await tenant.customer({
      firstName: 'Ada',
      email: 'ada@people.test',
      phone: '+15550100200',
    })
    const { run } = await tenant.imported()
    await tenant.undo(run)
    for (const number of [office, mobile])
      expect(await tenant.ring(number)).toMatchObject({ customerId: null, candidates: [] })
    expect(await tenant.ring('+15550100200')).toMatchObject({ customerId: _id })
    expect((await tenant.exportOf({ _id })).addresses).toEqual([])
  })
})

it('a further number goes along with a merge, and back', async () => {
  const tenant = await newTenant()
  const source = await tenant.imported()
  const target = await tenant.customer({ firstName: 'Target', phone: '+15550100200' })
  await tenant.merge(target._id, source._id)
  for (const number of [office, mobile, '+15550100200'])
    expect(await tenant.ring(number)).toMatchObject({ customerId: target._id })
  await tenant.unmerge(target._id, source._id)
  expect(await tenant.ring(mobile)).toMatchObject({ customerId: source._id, candidates: [] })
  expect((await tenant.exportOf(target)).addresses).toEqual([])
})

describe('an erasure', () => {
  it('of a customer leaves a further number in no row, and in no call', async () => {
    const tenant = await newTenant()
    const noted = await tenant.call({ to: mobile })
    const elsewhere = await tenant.customer({ firstName: 'Elsewhere' })
    const theirs = await tenant.call({ to: mobile, customerId: elsewhere._id })
    const customer = await tenant.imported()
    const rung = await tenant.ring(mobile)
    const exported = await tenant.exportOf(customer)
    expect(exported.addresses).toMatchObject([{ address: mobile, source: 'import' }])
    expect(idsOf(exported.calls)).toEqual(idsOf([noted, theirs, rung]))
    await tenant.erase(customer)
    expect(await tenant.callOf(rung._id)).toBeUndefined()
    expect(await tenant.callOf(noted._id)).toMatchObject({ to: null })
    expect(await tenant.callOf(theirs._id)).toMatchObject({ to: null, customerId: elsewhere._id })
    const { body } = await tenant.send('GET', '/api/telephony/calls?limit=100')
    expect(JSON.stringify(body)).not.toContain('23456789')
  })

  it('leaves a number that is a further one of somebody else', async () => {
    const tenant = await newTenant()
    await tenant.imported()
    const rung = await tenant.ring(mobile)
    await tenant.erase(await tenant.customer({ firstName: 'Other', phone: '0151 23456789' }))
    expect(await tenant.callOf(rung._id)).toMatchObject({ from: mobile })
  })
})

describe('a package', () => {
  const people = [
    {
      id: 'p1',
      name: 'Ada Ruiz',
      phones: [
        { number: '0151 77788991' },
        { number: '030 1234567', isPrimary: true },
        { number: '+49 151 77788992' },
      ],
      customFields: { 'Phone 2': 'at home in the evening', zoho: { Mobile: '0151 77788992' } },
    },
  ]
  const first = '+4915177788991'

  it('gives a person all numbers, and no word of a custom field is lost', async () => {
    const tenant = await newTenant()
    const packages = await newPackageTenant(service.url, tenant.owner)
    await packages.putAll(await packageOf({ records: { people } }))
    await packages.send('POST', `${packages.path}/import`, {})
    await packages.finished()
    const [customer] = await packages.rows('/api/v1/customers')
    expect(customer).toMatchObject({
      profile: { phone: '030 1234567' },
      customFields: { 'Phone 2': 'at home in the evening', 'Phone 3': '0151 77788991' },
    })
    expect(Object.keys(customer.customFields).sort()).toEqual(['Phone 2', 'Phone 3', 'zoho'])
    for (const number of [first, '+4915177788992'])
      expect(await tenant.ring(number)).toMatchObject({ customerId: customer._id })
    await tenant.erase(customer)
    for (const end of ['77788991', '77788992']) expect(await kindsHolding(service, end)).toEqual([])
  })

  it('of a tenant gives another tenant its people with all their numbers', async () => {
    const [tenant, next] = [await newTenant(), await newTenant()]
    await tenant.imported()
    const former = await tenant.customer({ firstName: 'Former', phone: '+15550100200' })
    await tenant.put(former._id, { phone: '+15550100201' })
    const made = await tenant.send('POST', '/api/tenant/exports', { currentPassword: password })
    const exported = async () =>
      (await tenant.send('GET', `/api/tenant/exports/${made.body.data._id}`)).body.data
    await expect.poll(async () => (await exported()).status).toBe('ready')
    const files = new Map<string, Buffer<ArrayBuffer>>()
    for (const { name, url } of (await exported()).parts) {
      const headers = { authorization: `Bearer ${tenant.token}` }
      const part = await fetch(`${service.url}${url}`, { headers })
      files.set(name, Buffer.from(await part.arrayBuffer()))
    }
    const { leftOut } = JSON.parse(String(files.get(manifestName)))
    expect(leftOut).toContainEqual({ kind: 'people', count: 1, reason: 'former phone numbers' })
    const packages = await newPackageTenant(service.url, next.owner)
    await packages.putAll(files)
    await packages.send('POST', `${packages.path}/import`, {})
    await packages.finished()
    const people = await packages.rows('/api/v1/customers')
    const copy = people.find(({ profile }: { profile: { firstName: string } }) => profile.firstName === 'Ada')
    expect(copy).toMatchObject({
      profile: { phone: '030 1234567' },
      customFields: { 'Mobile Phone': '0151 23456789', City: 'Bonn' },
    })
    // The number is not in a second custom field.
    expect(Object.keys(copy.customFields)).not.toContain('Phone 2')
    for (const number of [office, mobile])
      expect(await next.ring(number)).toMatchObject({ customerId: copy._id, candidates: [] })
    expect(await next.ring('+15550100200')).toMatchObject({ customerId: null, candidates: [] })
  })
})
