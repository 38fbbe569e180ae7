import { describe, expect, it } from 'vitest'
import { openHubspot } from '../../../test/support/hubspot-account.ts'
import type { SourceConnection, SourceModule, SourcePosition, SourceRecord } from '../../ports/connector.ts'

const signal = new AbortController().signal
const everything = { since: null, before: null }

interface Reading {
  window?: { since: string | null; before: string | null }
  from?: SourcePosition | null
  onPage?: (count: number) => void
}

async function readAll(connection: SourceConnection, module: SourceModule, reading: Reading = {}) {
  const { window = everything, from = null, onPage } = reading
  const records: SourceRecord[] = []
  let pages = 0
  for await (const page of connection.pages(module, { window, from, signal })) {
    records.push(...page.records)
    pages += 1
    onPage?.(pages)
  }
  return records
}
const idsOf = (records: readonly SourceRecord[]) => new Set(records.map(({ id }) => id))

describe('a portal of HubSpot', () => {
  it('is identified by its id, with one refresh for all requests on paths of one version', async () => {
    const { connection, emulator } = await openHubspot({ counts: { deals: 3, contacts: 3 } })
    expect(await connection.identify(signal)).toMatchObject({ id: '4711', timeZone: 'Europe/Dublin' })
    await readAll(connection, 'Deals')
    await readAll(connection, 'Deals', { window: { since: '2026-01-01T00:00:00Z', before: null } })
    for (const { path } of emulator.log) expect(path.split('/')).toContain('2026-03')
    expect(emulator.log.filter(({ path }) => path.startsWith('/oauth/'))).toHaveLength(1)
  })

  it('is read with a service key, which is never refreshed', async () => {
    const { connection, emulator } = await openHubspot({
      counts: { contacts: 1 },
      tokens: (emulator) => ({ accessToken: emulator.newServiceKey(), refreshToken: null }),
    })
    expect(await readAll(connection, 'Contacts')).toHaveLength(1)
    emulator.expireAll()
    await expect(connection.identify(signal)).rejects.toMatchObject({ kind: 'auth' })
    expect(emulator.log.some(({ path }) => path.startsWith('/oauth/'))).toBe(false)
  })
})

describe('the pages of a type', () => {
  it('hold every object once, with its links', async () => {
    const { connection } = await openHubspot({ counts: { contacts: 40, deals: 250 } })
    const records = await readAll(connection, 'Deals')
    expect(idsOf(records).size).toBe(250)
    expect(records[0]).toMatchObject({
      id: '501',
      person: { module: 'Contacts', id: '501' },
      fields: { subject: 'Deal 0', status: 'open' },
      customFields: { amount: '100', dealstage: 'Open', pipeline: 'Sales Pipeline' },
    })
    expect(records[1]?.fields.status).toBe('closed')
  })

  it('of a search go beyond its cap of 10,000 results', async () => {
    const { connection } = await openHubspot({ counts: { contacts: 10_250 } })
    const records = await readAll(connection, 'Contacts', {
      window: { since: '2026-01-01T00:00:00Z', before: null },
    })
    expect(idsOf(records).size).toBe(10_250)
  })

  it('of a search hold the objects of the window, with their links', async () => {
    const { connection } = await openHubspot({ counts: { contacts: 10, tickets: 600 } })
    const window = { since: '2026-01-01T00:01:40.000Z', before: '2026-01-01T00:06:40.000Z' }
    const records = await readAll(connection, 'Cases', { window })
    expect([records.length, records[0]?.id, records.at(-1)?.id]).toEqual([300, '601', '900'])
    expect(records[0]?.person).toEqual({ module: 'Contacts', id: '501' })
  })

  it.each([
    ['a list', everything],
    ['a search', { since: '2026-01-01T00:00:00Z', before: null }],
  ])(
    'of %s name the same person of a deal with 250 contacts, whose links come in pages',
    async (_, window) => {
      const { connection } = await openHubspot({ counts: { contacts: 250, deals: 3 }, linksOfObject: 250 })
      const records = await readAll(connection, 'Deals', { window })
      // The lowest id stands on the last page of the links.
      expect(records.map(({ person }) => person?.id)).toEqual(['501', '501', '501'])
    },
  )

  it('miss no object when objects change and are archived between two pages', async () => {
    const { connection, emulator } = await openHubspot({ counts: { contacts: 450 } })
    const contacts = emulator.api.objects('contacts')
    const records = await readAll(connection, 'Contacts', {
      onPage: (count) => {
        for (let n = 0; n < 20; n++) contacts.update(contacts.idOf(n), { jobtitle: `Changed ${count}` })
        contacts.archive(contacts.idOf(count))
      },
    })
    expect(idsOf(records).size).toBe(450)
  })

  it('continue after the page that was stored last', async () => {
    const { connection } = await openHubspot({ counts: { contacts: 350 } })
    const before: SourceRecord[] = []
    let from: SourcePosition | null = null
    for await (const page of connection.pages('Contacts', { window: everything, from: null, signal })) {
      before.push(...page.records)
      from = JSON.parse(JSON.stringify(page.next))
      if (before.length >= 200) break
    }
    const rest = await readAll(connection, 'Contacts', { from })
    expect(idsOf([...before, ...rest]).size).toBe(350)
    expect(rest).toHaveLength(150)
  })

  it('with more properties than a URL holds are read by their ids', async () => {
    const { connection } = await openHubspot({ counts: { contacts: 120 }, customProperties: 1_500 })
    const records = await readAll(connection, 'Contacts')
    expect(records).toHaveLength(120)
    for (const { customFields } of records) expect(customFields['custom_1500']).toEqual(expect.any(String))
  })

  it('of leads, which HubSpot does not have, are one empty page', async () => {
    const { connection } = await openHubspot()
    expect(await readAll(connection, 'Leads')).toEqual([])
  })
})

describe('objects', () => {
  it('of notes and calls have their parent, HTML, and times in UTC', async () => {
    const { connection } = await openHubspot({ counts: { contacts: 2, tickets: 2, notes: 1, calls: 1 } })
    const [note] = await readAll(connection, 'Notes')
    expect(note).toMatchObject({
      parent: { module: 'Cases', id: '501' },
      fields: { content: '<p>Note 0</p>', isHtml: true },
    })
    const [made] = await readAll(connection, 'Calls')
    expect(made).toMatchObject({
      person: { module: 'Contacts', id: '501' },
      fields: { direction: 'outbound', durationSeconds: 15, startedAt: '2026-05-14T09:00:00.000Z' },
    })
  })

  it('that were merged name the ids of their parts', async () => {
    const { connection, emulator } = await openHubspot({ counts: { contacts: 3 } })
    const contacts = emulator.api.objects('contacts')
    const merged = contacts.create({ firstname: 'Ada', hs_merged_object_ids: '501;502' })
    const records = await connection.byIds('Contacts', [merged, '999999'], signal)
    expect(records).toEqual([expect.objectContaining({ id: merged, mergedIds: ['501', '502'] })])
  })

  it('of people have the first number as their phone, and keep the mobile phone beside another one', async () => {
    const { connection, emulator } = await openHubspot({ counts: { contacts: 1 } })
    const contacts = emulator.api.objects('contacts')
    const numbers = [
      { phone: '+4930111', mobilephone: '+49151222' },
      { phone: null, mobilephone: '+49151222' },
    ]
    const ids = numbers.map((given) => contacts.create({ firstname: 'Ada', ...given }))
    const records = await connection.byIds('Contacts', ids, signal)
    expect(
      records.map(({ fields, customFields }) => [fields.phone, fields.secondaryPhones, customFields]),
    ).toEqual([
      ['+4930111', ['+49151222'], { mobilephone: '+49151222' }],
      ['+49151222', [], {}],
    ])
  })

  it('that were archived are listed also beyond the first page', async () => {
    const { connection, emulator } = await openHubspot({ counts: { contacts: 150 } })
    const contacts = emulator.api.objects('contacts')
    for (let index = 0; index < 130; index++) contacts.archive(contacts.idOf(index))
    const ids: string[] = []
    for await (const page of connection.deleted('Contacts', '2020-01-01T00:00:00Z', signal))
      ids.push(...page.map(({ id }) => id))
    expect(new Set(ids).size).toBe(130)
  })

  it('that were archived since a moment are listed', async () => {
    const { connection, emulator } = await openHubspot({ counts: { contacts: 5 } })
    const since = new Date().toISOString()
    emulator.api.objects('contacts').archive('503')
    const ids: string[] = []
    for await (const page of connection.deleted('Contacts', since, signal))
      ids.push(...page.map(({ id }) => id))
    expect(ids).toEqual(['503'])
  })
})

describe('a failure of HubSpot', () => {
  it('of a revoked grant is `auth`', async () => {
    const { connection, emulator, tokens } = await openHubspot()
    await connection.identify(signal)
    emulator.revoke((await tokens.read()).refreshToken ?? '')
    await expect(connection.identify(signal)).rejects.toMatchObject({ kind: 'auth' })
  })

  it('of an expired token is mended by one refresh', async () => {
    const { connection, emulator } = await openHubspot()
    await connection.identify(signal)
    emulator.expireAll()
    expect(await connection.identify(signal)).toMatchObject({ id: '4711' })
  })

  it.each([
    ['a limit of ten seconds', { status: 429, body: { policyName: 'TEN_SECONDLY_ROLLING' } }, 'rate'],
    ['a daily limit', { status: 429, body: { policyName: 'DAILY' } }, 'quota'],
    ['a missing scope', { status: 403, body: { category: 'MISSING_SCOPES' } }, 'forbidden'],
    ['a refused request', { status: 400, body: { category: 'VALIDATION_ERROR' } }, 'fatal'],
    ['a 502', { status: 502 }, 'transient'],
    ['a timeout of the source', { status: 408 }, 'transient'],
    ['a locked resource', { status: 423 }, 'transient'],
    ['an account that moves', { status: 477 }, 'rate'],
  ] as const)('of %s has its kind', async (_, action, kind) => {
    const { connection, emulator } = await openHubspot()
    emulator.faults.add({ match: '/account-info', to: 9, from: 1, action })
    await expect(connection.identify(signal)).rejects.toMatchObject({ name: 'SourceFailure', kind })
  })

  it('of a limit keeps the time that the source names', async () => {
    const { connection, emulator } = await openHubspot()
    for (const [status, retryAfter] of [
      [429, 30],
      [477, 1_800],
    ] as const) {
      emulator.faults.add({ match: '/account-info', action: { status, retryAfter } })
      const failure = await connection.identify(signal).catch((error: unknown) => error)
      const waitMs = Date.parse((failure as { retryAt: string }).retryAt) - Date.now()
      expect(waitMs).toBeGreaterThan(retryAfter * 1000 - 25_000)
    }
  })

  it.each([
    ['UTC', 0],
    ['Asia/Kolkata', 330],
    ['Pacific/Honolulu', -600],
  ])(
    'of a used-up day lasts until the next midnight in %s, the zone of the portal',
    async (timeZone, minutes) => {
      const { connection } = await openHubspot({ timeZone, limits: { perDay: 1 } })
      await connection.identify(signal)
      const failure = await connection.identify(signal).catch((error: unknown) => error)
      expect(failure).toMatchObject({ kind: 'quota' })
      const atMs = Date.parse((failure as { retryAt: string }).retryAt)
      const localMs = atMs + minutes * 60_000
      expect(localMs % 86_400_000).toBe(0)
      expect(atMs).toBeGreaterThan(Date.now() - 60_000)
      expect(atMs).toBeLessThanOrEqual(Date.now() + 86_400_000)
    },
  )
})
