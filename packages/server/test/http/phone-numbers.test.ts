// Runs on both databases by day: calls are found by their numbers, and an erasure blanks them.

import { beforeEach, describe, expect, it, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { kindsHolding } from '../support/kinds-holding.ts'
import { makeTelephone, telephoneSettings } from '../support/telephone.ts'
import { useService } from '../support/use-service.ts'

// One person is one phone number, however it is written, at every door that knows people by numbers.

const service = useService(telephoneSettings)

/** The number of a person in Germany, as people and programs write it. */
const phone = '+4915123456789'
const spellings = [
  phone,
  '+49 151 23456789',
  '+49 (0)151 / 2345-6789',
  '0049 151 23456789',
  '0151 23456789',
  '(0151) 234 567 89',
]

let owner: Awaited<ReturnType<typeof registerTenant>>
let telephone: Awaited<ReturnType<typeof makeTelephone>>
let ownNumber: string

async function begin() {
  owner = await registerTenant(service.url)
  telephone = await makeTelephone(service, owner)
  ownNumber = telephone.ownNumber
}
beforeEach(begin)

const ask = (method: string, path: string, body?: unknown) =>
  call(service.url, { method, path, token: owner.token, body })
const make = async (path: string, body: object) => {
  const made = await ask('POST', path, body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.data
}
const person = (written: string, fields: object = {}) =>
  make('/api/v1/customers', { firstName: 'Person', phone: written, ...fields })
const idsOf = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id).sort()

const ring = (from = phone) => telephone.ring(from)

const newCall = (fields: object) => make('/api/telephony/calls', { to: phone, ...fields })
const search = async (text: string) =>
  idsOf((await ask('GET', `/api/v1/customers?search=${encodeURIComponent(text)}`)).body.data)

describe('a call', () => {
  it.each(spellings)('finds the one customer whose number is written %s', async (written) => {
    const { _id } = await person(written)
    expect(await ring()).toMatchObject({ customerId: _id, candidates: [] })
  })

  it('is given to none of two customers with the number, whom it names, in each pair of spellings', async () => {
    let wrong = 0
    for (const [index, written] of spellings.entries()) {
      const number = `+4915123456${100 + index}`
      const again = written.replace(/2\s?3\s?4.*$/, `23456${100 + index}`)
      const [one, other] = [await person(number), await person(again)]
      const rung = await ring(number)
      if (rung.customerId !== null) wrong += 1
      expect(idsOf(rung.candidates)).toEqual(idsOf([one, other]))
      expect((await telephone.callOf(rung._id)).candidates).toEqual(rung.candidates)
      await ask('POST', `/api/v1/customers/${one._id}/merge`, { sourceId: other._id })
      expect((await telephone.callOf(rung._id)).candidates).toEqual([])
    }
    expect(wrong).toBe(0)
  })

  it('names in its event the customers who have its number', async () => {
    const people = [await person(phone), await person('0151 23456789')]
    const { _id } = await ring()
    const begun = async () =>
      (await ask('GET', '/api/v1/events?after=earliest&types=call.initiated')).body.data
    await expect.poll(begun).toHaveLength(1)
    const [{ data }] = await begun()
    expect(data).toMatchObject({ _id, customerId: null })
    expect(idsOf(data.candidates)).toEqual(idsOf(people))
  })

  it('finds a customer by the number of one who was merged into them, and nobody by a former number', async () => {
    const [target, source] = [await person('+1 555 0100 200'), await person('0151 23456789')]
    await ask('POST', `/api/v1/customers/${target._id}/merge`, { sourceId: source._id })
    expect(await ring()).toMatchObject({ customerId: target._id })
    const changed = await person('0151 23456700')
    await ask('PUT', `/api/v1/customers/${changed._id}`, { phone: '0151 23456701' })
    expect(await ring('+4915123456700')).toMatchObject({ customerId: null, candidates: [] })
    expect(await ring('+4915123456701')).toMatchObject({ customerId: changed._id })
  })

  it('finds nobody by a number without a country while the tenant has none', async () => {
    await ask('PUT', '/api/tenant', { country: null })
    await person('0151 23456789')
    expect(await ring()).toMatchObject({ customerId: null, candidates: [] })
    const { _id } = await person('0049 151 23456789')
    expect(await ring()).toMatchObject({ customerId: _id })
  })
})

/** Numbers that end differently as their country writes them. */
const shortNumbers = [
  { country: 'SE', written: '08-123 456', number: '+468123456' },
  { country: 'DE', written: '030 12345', number: '+493012345' },
  { country: 'IS', written: '551 2345', number: '+3545512345' },
  { country: 'AD', written: '712 345', number: '+376712345' },
]

test('a short number is found by a call and a search, and an erasure leaves it in no call', async () => {
  const erasures: Promise<void>[] = []
  for (const { country, written, number } of shortNumbers) {
    await begin()
    await ask('PUT', '/api/tenant', { country })
    const [before, noted] = [await ring(number), await newCall({ to: number })]
    const { _id } = await person(written)
    expect(await ring(number), country).toMatchObject({ customerId: _id, candidates: [] })
    for (const spelling of [written, number]) expect(await search(spelling), spelling).toEqual([_id])
    const { callOf, erase, ownNumber: to } = telephone
    const left = async () => [await callOf(before._id), await callOf(noted._id)]
    erasures.push(
      erase({ _id }).then(async () =>
        expect(await left(), country).toMatchObject([
          { from: null, to },
          { from: null, to: null },
        ]),
      ),
    )
  }
  await Promise.all(erasures)
})

test('a search finds a customer by each spelling of a number, however it is written in the row', async () => {
  const people = idsOf(
    [await person('0151 23456789'), await person(phone), await person('+1 555 0100 200')].slice(0, 2),
  )
  for (const written of spellings) expect([written, await search(written)]).toEqual([written, people])
})

describe('an erasure', () => {
  it('of a customer leaves their number in no call, however it is written', async () => {
    const elsewhere = await person('+1 555 0100 200')
    const numbers = spellings.map((written, index) => {
      const end = String(200 + index)
      return {
        number: `+49151777889${end.slice(1)}`,
        written: written.replace(/2\s?3\s?4.*$/, `777889${end.slice(1)}`),
      }
    })
    await ask('PUT', '/api/tenant', { country: null })
    const calls = []
    for (const { number } of numbers) {
      const given = { direction: 'inbound', to: ownNumber, from: number, customerId: elsewhere._id }
      calls.push({
        rung: await ring(number),
        noted: await newCall({ to: number }),
        theirs: await newCall(given),
      })
    }
    await ask('PUT', '/api/tenant', { country: 'DE' })
    const people = []
    for (const { number, written } of numbers) {
      const customer = await person(written)
      const own = await ring(number)
      expect([written, own.customerId]).toEqual([written, customer._id])
      people.push(customer)
    }
    expect(await kindsHolding(service, '777889')).toEqual(['calls', 'customers', 'events'])
    for (const customer of people)
      expect((await ask('DELETE', `/api/v1/customers/${customer._id}`)).status).toBe(200)
    await telephone.erasuresEnd()
    for (const { rung, noted, theirs } of calls) {
      expect(await telephone.callOf(rung._id)).toMatchObject({ customerId: null, from: null, to: ownNumber })
      expect(await telephone.callOf(noted._id)).toMatchObject({ from: null, to: null })
      expect(await telephone.callOf(theirs._id)).toMatchObject({
        from: null,
        to: ownNumber,
        customerId: elsewhere._id,
      })
    }
    expect(await kindsHolding(service, '777889')).toEqual([])
  })

  it('removes the numbers that a customer had before, and those of one who was merged into them', async () => {
    const [target, source] = [await person('0151 23456789'), await person('0151 99456789')]
    const calls = [await newCall({}), await newCall({ to: '+4915199456789' })]
    await ask('PUT', `/api/v1/customers/${target._id}`, { phone: '030 1234567' })
    await ask('POST', `/api/v1/customers/${target._id}/merge`, { sourceId: source._id })
    await telephone.erase(target)
    for (const { _id } of calls) expect(await telephone.callOf(_id)).toMatchObject({ to: null })
    expect(await kindsHolding(service, '99456789')).toEqual([])
  })

  it('leaves a number that somebody else has, that of the team, and calls after the request', async () => {
    const [one, other] = [await person(phone), await person('0151 23456789')]
    const rung = await ring()
    await telephone.erase(one)
    expect(await telephone.callOf(rung._id)).toMatchObject({ from: phone, candidates: [] })
    const team = await person(ownNumber)
    await telephone.erase(team)
    expect(await telephone.callOf(rung._id)).toMatchObject({ to: ownNumber })
    await telephone.erase(other)
    const later = await ring()
    expect([(await telephone.callOf(rung._id)).from, (await telephone.callOf(later._id)).from]).toEqual([
      null,
      phone,
    ])
  })

  it('is preceded by an export with the calls that it touches', async () => {
    const stranger = await newCall({})
    const elsewhere = await person('+1 555 0100 200')
    const theirs = await newCall({ customerId: elsewhere._id })
    await ask('PATCH', `/api/telephony/calls/${theirs._id}/metadata`, { notes: 'Words of somebody else' })
    const customer = await person('0151 23456789')
    const own = await ring()
    const exported = await telephone.exportOf(customer)
    expect(idsOf(exported.calls)).toEqual(idsOf([stranger, theirs, own]))
    expect(JSON.stringify(exported)).not.toContain('Words of somebody else')
    await person(phone)
    expect(idsOf((await telephone.exportOf(customer)).calls)).toEqual([own._id])
  })
})

describe('the country of a tenant', () => {
  it('is set by an admin, is kept by a request without it, and is one with phone numbers', async () => {
    const countryOf = async () => (await ask('GET', '/api/tenant')).body.data.country
    const before = (await ask('GET', '/api/tenant')).body.data
    const same = await ask('PUT', '/api/tenant', {})
    expect([same.status, same.body.data]).toEqual([200, before])
    for (const wrong of ['de', 'DEU', 'XX', 7]) {
      const { status, body } = await ask('PUT', '/api/tenant', { country: wrong })
      expect({ wrong, status, body }).toMatchObject({
        wrong,
        status: 422,
        body: { details: expect.arrayContaining([expect.objectContaining({ field: 'country' })]) },
      })
    }
    expect(await countryOf()).toBe('DE')
    expect((await ask('PUT', '/api/tenant', { country: null })).body.data.country).toBeNull()
    expect(await countryOf()).toBeNull()
    const { body } = await ask('GET', '/api/tenant/audit-log')
    const entries = body.data.filter(({ action }: { action: string }) => action === 'tenant.updated')
    expect(entries.map(({ changed }: { changed: string[] }) => changed)).toEqual([['country'], ['country']])
  })
})
