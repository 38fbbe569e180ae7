import { describe, expect, it } from 'vitest'
import { modules as emulatedModules } from '../../../../../examples/zoho-emulator/src/api.ts'
import { openZoho } from '../../../test/support/zoho-account.ts'
import {
  type SourceConnection,
  type SourceModule,
  type SourcePosition,
  type SourceRecord,
  sourceModules,
} from '../../ports/connector.ts'

const signal = new AbortController().signal
const everything = { since: null, before: null }

interface Reading {
  window?: { since: string | null; before: string | null }
  from?: SourcePosition | null
  /** Called after each page, with the number of pages so far. */
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
  return { records, pages }
}
const idsOf = (records: readonly SourceRecord[]) => new Set(records.map(({ id }) => id))

describe('an account at Zoho', () => {
  it('is identified by its organisation, and a token is refreshed once for all requests', async () => {
    const { connection, emulator } = await openZoho()
    expect(await connection.identify(signal)).toEqual({
      id: '10020301',
      name: 'Zylker',
      email: 'admin@zylker.example',
      country: 'DE',
      timeZone: 'Europe/Berlin',
    })
    await connection.identify(signal)
    expect(emulator.log.map(({ path }) => path)).toEqual(['/oauth/v2/token', '/crm/v8/org', '/crm/v8/org'])
  })

  it('has the modules that imports read, in the same words as the emulator', async () => {
    const { connection } = await openZoho()
    const listed = await connection.modules?.(signal)
    expect(emulatedModules).toEqual(sourceModules.filter((module) => !connection.lacks?.includes(module)))
    expect(listed).toEqual(emulatedModules.map((module) => ({ module, readable: true })))
  })

  it('says what a field is mapped to, and names the options of a pick list', async () => {
    const { connection } = await openZoho({ counts: { Contacts: 1, Deals: 1 }, customFields: 1 })
    const contacts = await connection.describe('Contacts', signal)
    const targetOf = (name: string) => contacts.find(({ apiName }) => apiName === name)?.mappedTo
    expect([targetOf('Last_Name'), targetOf('Custom_1')]).toEqual(['lastName', 'customFields.zoho.Custom_1'])
    const stage = (await connection.describe('Deals', signal)).find(({ apiName }) => apiName === 'Stage')
    expect(stage?.options).toContainEqual({ value: 'Closed Won', label: 'Closed Won' })
  })
})

describe('the pages of a module', () => {
  it('hold every record once more than the cap of 2,000 plain pages, oldest change first', async () => {
    const { connection } = await openZoho({ counts: { Contacts: 5_001 } })
    const { records } = await readAll(connection, 'Contacts')
    expect(idsOf(records).size).toBe(5_001)
    const times = records.map(({ modifiedAt }) => modifiedAt)
    expect(times).toEqual([...times].sort())
  })

  it('go beyond the 100,000 records of a chain of page tokens', async () => {
    const { connection } = await openZoho({ counts: { Contacts: 100_400 }, perSecond: 20 })
    const { records } = await readAll(connection, 'Contacts')
    expect(idsOf(records).size).toBe(100_400)
  })

  it('read thousands of records of one second by page numbers and then by page tokens', async () => {
    const { connection } = await openZoho({ counts: { Contacts: 2_700 }, perSecond: 2_500 })
    const { records } = await readAll(connection, 'Contacts')
    expect(idsOf(records).size).toBe(2_700)
  })

  it.each([
    ['many seconds', 3],
    ['one second', 5_000],
  ])('miss no record of %s when records change and are deleted between two pages', async (_, perSecond) => {
    const { connection, emulator } = await openZoho({ counts: { Contacts: 1_000 }, perSecond })
    const contacts = emulator.api.dataset('Contacts')
    const deleted = new Set<string>()
    const { records } = await readAll(connection, 'Contacts', {
      onPage: (count) => {
        if (count > 3) return
        // Records that were read already: everything behind them moves to the front.
        for (let n = 0; n < 5; n++)
          contacts.update(contacts.idOf(count * 20 + n), { Title: `Changed ${count}` })
        deleted.add(contacts.idOf(count * 20 + 10))
        contacts.delete(contacts.idOf(count * 20 + 10))
      },
    })
    const ids = idsOf(records)
    const all = Array.from({ length: 1_000 }, (_, index) => contacts.idOf(index))
    expect(all.filter((id) => !ids.has(id) && !deleted.has(id))).toEqual([])
    const latest = new Map(records.map((record) => [record.id, record.fields.jobTitle]))
    expect(latest.get(contacts.idOf(61))).toBe('Changed 3')
  })

  it('continue after the page that was stored last', async () => {
    const { connection } = await openZoho({ counts: { Contacts: 900 } })
    const before: SourceRecord[] = []
    let from: SourcePosition | null = null
    for await (const page of connection.pages('Contacts', { window: everything, from: null, signal })) {
      before.push(...page.records)
      from = JSON.parse(JSON.stringify(page.next))
      if (before.length >= 400) break
    }
    const { records } = await readAll(connection, 'Contacts', { from })
    expect(idsOf([...before, ...records]).size).toBe(900)
    expect(records.length).toBeLessThan(900)
  })

  it('hold the records of a window only, its end excluded', async () => {
    const { connection } = await openZoho({ counts: { Contacts: 3_600 }, perSecond: 1 })
    const window = { since: '2026-01-01T00:10:00.000Z', before: '2026-01-01T00:20:00.000Z' }
    const { records } = await readAll(connection, 'Contacts', { window })
    const times = records.map(({ modifiedAt }) => modifiedAt)
    expect([times[0], times.at(-1)]).toEqual(['2026-01-01T00:10:00.000Z', '2026-01-01T00:19:59.000Z'])
    expect(idsOf(records).size).toBe(600)
  })

  it('join more than 50 fields by id, also of a record that changes between the requests', async () => {
    const { connection, emulator } = await openZoho({ counts: { Contacts: 3 }, customFields: 120 })
    emulator.faults.add({ match: '/crm/v8/Contacts', from: 2, action: { slowMs: 50 } })
    const contacts = emulator.api.dataset('Contacts')
    const reading = readAll(connection, 'Contacts')
    await expect.poll(() => emulator.log.filter(({ path }) => path === '/crm/v8/Contacts').length).toBe(2)
    contacts.update(contacts.idOf(1), { First_Name: 'New', Custom_119: 'new' })
    const { records } = await reading
    const changed = records.filter(({ id }) => id === contacts.idOf(1)).at(-1)
    expect(changed?.fields.firstName).toBe('New')
    expect(changed?.customFields['Custom_119']).toBe('new')
    for (const { customFields } of records) expect(Object.keys(customFields)).toContain('Custom_120')
  })

  it('hold rich texts whole, which a list cuts to 500 characters', async () => {
    const { connection, emulator } = await openZoho({ counts: { Contacts: 450 }, richTextLength: 3_000 })
    const { records } = await readAll(connection, 'Contacts')
    expect(idsOf(records).size).toBe(450)
    for (const { customFields, warnings } of records) {
      expect(String(customFields['Rich_Text'])).toHaveLength(3_000)
      expect(warnings).toEqual([])
    }
    const fetches = emulator.log.filter(({ path }) => path.endsWith('/fetch_full_data'))
    expect(fetches.length).toBeLessThanOrEqual(4)
  })

  it('ask for no whole text when none is as long as the cut', async () => {
    const { connection, emulator } = await openZoho({ counts: { Contacts: 5 }, richTextLength: 499 })
    await readAll(connection, 'Contacts')
    expect(emulator.log.some(({ path }) => path.endsWith('/fetch_full_data'))).toBe(false)
  })

  it('say of a text that stays cut that it is cut, and import the record', async () => {
    const { connection, emulator } = await openZoho({ counts: { Contacts: 1 }, richTextLength: 3_000 })
    const match = '/crm/v8/Contacts/actions/fetch_full_data'
    emulator.faults.add({ match, action: { status: 400, code: 'INVALID_DATA' } })
    const { records } = await readAll(connection, 'Contacts')
    expect(records).toMatchObject([{ warnings: [{ code: 'SOURCE_TRUNCATED' }] }])
    expect(String(records[0]?.customFields['Rich_Text'])).toHaveLength(500)
  })

  it('need one slot of the concurrency of the app, also when fields and texts are joined', async () => {
    const { connection, emulator } = await openZoho({
      counts: { Contacts: 250 },
      customFields: 60,
      richTextLength: 600,
      concurrency: 1,
      subConcurrency: 1,
      latencyMs: 5,
    })
    expect(idsOf((await readAll(connection, 'Contacts')).records).size).toBe(250)
    expect(emulator.log.filter(({ status }) => status === 429)).toEqual([])
  })

  it('of an empty module are one empty page', async () => {
    const { connection } = await openZoho()
    expect(await readAll(connection, 'Contacts')).toEqual({ records: [], pages: 1 })
  })

  it('of notes come from each record where the user may not list all notes', async () => {
    const counts = { Contacts: 4, Deals: 4, Notes: 20 }
    const { connection } = await openZoho({ counts, isAdmin: false })
    const admin = await openZoho({ counts })
    const byParent = await readAll(connection, 'Notes')
    const all = await readAll(admin.connection, 'Notes')
    expect(idsOf(byParent.records)).toEqual(idsOf(all.records))
    const parentsOf = (records: readonly SourceRecord[]) =>
      new Map(records.map(({ id, parent }) => [id, parent]))
    expect(parentsOf(byParent.records)).toEqual(parentsOf(all.records))
  })

  it('of a module that the user may not read fail as forbidden', async () => {
    const { connection, emulator } = await openZoho({ counts: { Deals: 1 } })
    emulator.api.refuse('Deals')
    await expect(readAll(connection, 'Deals')).rejects.toMatchObject({
      name: 'SourceFailure',
      kind: 'forbidden',
    })
  })
})

describe('records', () => {
  it('keep ids of 19 digits as texts and times as instants in UTC', async () => {
    const { connection, emulator } = await openZoho({ counts: { Contacts: 1 } })
    const [record] = (await readAll(connection, 'Contacts')).records
    expect(record).toMatchObject({
      module: 'Contacts',
      id: emulator.api.dataset('Contacts').idOf(0),
      createdAt: '2026-01-01T00:00:00.000Z',
      modifiedAt: '2026-01-01T00:00:00.000Z',
      fields: { email: 'contact0@example.com', secondaryEmails: ['contact0.alt@example.com'], tags: ['vip'] },
    })
    expect(BigInt(record!.id)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER))
  })

  it('of people have the first number as their phone, and keep the others as custom fields', async () => {
    const { connection, emulator } = await openZoho({ counts: { Contacts: 3 } })
    const contacts = emulator.api.dataset('Contacts')
    const [office, mobile, home] = ['+4930111', '+49151222', '+4930333']
    // The fields of an account are those of its first record.
    contacts.update(contacts.idOf(0), { Phone: office, Mobile: mobile, Home_Phone: home, Other_Phone: null })
    contacts.update(contacts.idOf(1), { Phone: null, Mobile: mobile, Fax: '+4930444' })
    contacts.update(contacts.idOf(2), { Phone: office, Other_Phone: home })
    const { records } = await readAll(connection, 'Contacts')
    const numbersOf = ({ fields, customFields: { Mobile, Home_Phone, Other_Phone } }: SourceRecord) => ({
      numbers: [fields.phone, ...(fields.secondaryPhones ?? [])],
      kept: [Mobile, Home_Phone, Other_Phone].filter((value) => value !== undefined),
    })
    expect(records.map(numbersOf)).toEqual([
      { numbers: [office, mobile, home], kept: [mobile, home] },
      { numbers: [mobile], kept: [] },
      { numbers: [office, home], kept: [home] },
    ])
  })

  it('of deals and cases have a status, a priority, and the contact that they belong to', async () => {
    const { connection, emulator } = await openZoho({ counts: { Contacts: 1, Deals: 1, Cases: 1 } })
    const [deals, cases] = [emulator.api.dataset('Deals'), emulator.api.dataset('Cases')]
    deals.update(deals.idOf(0), { Stage: 'Lost to rival' })
    cases.update(cases.idOf(0), { Status: 'Escalated', Case_Origin: 'Web' })
    const person = { module: 'Contacts', id: emulator.api.dataset('Contacts').idOf(0) }
    const [deal] = (await readAll(connection, 'Deals')).records
    expect(deal).toMatchObject({ fields: { status: 'closed' }, person, customFields: { Amount: 100 } })
    const [ticket] = (await readAll(connection, 'Cases')).records
    expect(ticket).toMatchObject({ fields: { status: 'open', priority: 'urgent', channel: 'chat' }, person })
  })

  it('of activities belong to the record that `$se_module` names, which no list of fields has', async () => {
    const { connection, emulator } = await openZoho({
      counts: { Calls: 1, Events: 1, Tasks: 1, Contacts: 1, Deals: 1 },
    })
    const parent = { module: 'Deals', id: emulator.api.dataset('Deals').idOf(0) }
    for (const module of ['Calls', 'Events', 'Tasks'] as const) {
      expect((await connection.describe(module, signal)).map(({ apiName }) => apiName)).not.toContain(
        '$se_module',
      )
      const [record] = (await readAll(connection, module)).records
      expect([module, record?.parent]).toEqual([module, parent])
      expect(Object.keys(record?.customFields ?? {})).not.toContain('$se_module')
    }
  })

  it('with a time that cannot be read have a warning without the value', async () => {
    const { connection, emulator } = await openZoho({ counts: { Calls: 1, Contacts: 1, Deals: 1 } })
    const calls = emulator.api.dataset('Calls')
    calls.update(calls.idOf(0), { Call_Start_Time: 'tomorrow', Call_Type: 'Missed' })
    const [record] = (await readAll(connection, 'Calls')).records
    expect(record?.fields).toMatchObject({
      startedAt: null,
      isMissed: true,
      direction: 'inbound',
      durationSeconds: 15,
    })
    expect(record?.warnings).toEqual([{ code: 'INVALID_VALUE', message: 'Call_Start_Time is no date' }])
  })

  it('are found by their ids without those that do not exist, and deleted ones are listed', async () => {
    const { connection, emulator } = await openZoho({ counts: { Contacts: 250 } })
    const contacts = emulator.api.dataset('Contacts')
    const ids = [contacts.idOf(3), '1', contacts.idOf(200)]
    const found = await connection.byIds('Contacts', ids, signal)
    expect(found.map(({ id }) => id)).toEqual([contacts.idOf(3), contacts.idOf(200)])
    for (let index = 0; index < 201; index++) contacts.delete(contacts.idOf(index))
    const deleted: string[] = []
    for await (const page of connection.deleted('Contacts', '2026-01-01T00:00:00Z', signal))
      deleted.push(...page.map(({ id }) => id))
    expect(new Set(deleted).size).toBe(201)
  })
})

describe('a failure of Zoho', () => {
  it('of an expired token in the middle of a module is mended by one refresh', async () => {
    const { connection, emulator } = await openZoho({ counts: { Contacts: 900 } })
    emulator.faults.add({ match: '/crm/v8/Contacts', from: 3, action: 'expire-tokens' })
    const { records } = await readAll(connection, 'Contacts')
    expect(idsOf(records).size).toBe(900)
    expect(emulator.log.filter(({ path }) => path === '/oauth/v2/token')).toHaveLength(2)
  })

  it('of a revoked grant is `auth`, after one refresh', async () => {
    const { connection, emulator, tokens } = await openZoho()
    await connection.identify(signal)
    emulator.oauth.revoke((await tokens.read()).refreshToken ?? '')
    await expect(connection.identify(signal)).rejects.toMatchObject({ kind: 'auth' })
    expect(emulator.log.filter(({ path }) => path === '/oauth/v2/token')).toHaveLength(2)
  })

  it('of too many refreshes is `rate` for ten minutes, and never asks a person to connect again', async () => {
    const { connection, emulator } = await openZoho()
    for (let n = 0; n < 10; n++) {
      emulator.oauth.expireAll()
      await connection.identify(signal)
    }
    emulator.oauth.expireAll()
    const failure = await connection.identify(signal).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'rate' })
    const waitMs = Date.parse((failure as { retryAt: string }).retryAt) - Date.now()
    expect(waitMs).toBeGreaterThan(9 * 60_000)
  })

  it('of a token that is valid for a moment only is prevented by an early refresh', async () => {
    const { connection, emulator } = await openZoho({
      tokens: {
        accessToken: 'old',
        accessTokenExpiresAt: new Date(Date.now() + 60_000).toISOString(),
        lifetimeSeconds: 3600,
      },
    })
    await connection.identify(signal)
    expect(emulator.log.map(({ path, status }) => [path, status])).toEqual([
      ['/oauth/v2/token', 200],
      ['/crm/v8/org', 200],
    ])
  })

  it('of a used-up day is `quota` with a time', async () => {
    const { connection } = await openZoho({ credits: 1 })
    await connection.identify(signal)
    await expect(connection.identify(signal)).rejects.toMatchObject({
      kind: 'quota',
      retryAt: expect.any(String),
    })
  })

  const body = { status: 429, code: 'TOO_MANY_REQUESTS', message: 'sub-concurrency limit' }
  it.each([
    ['a limit of concurrency', body, 'rate'],
    ['a 500', { status: 500, code: 'INTERNAL_ERROR' }, 'transient'],
    ['a refused request', { status: 400, code: 'INVALID_DATA' }, 'fatal'],
    ['a timeout of the source', { status: 408, code: 'TIMEOUT' }, 'transient'],
    ['a missing scope', { status: 401, code: 'OAUTH_SCOPE_MISMATCH' }, 'forbidden'],
    ['a reset connection', 'reset', 'transient'],
    ['a cut body', 'truncated-json', 'transient'],
    ['a page of HTML', 'html', 'transient'],
    ['a silent server', 'silent', 'transient'],
    ['a redirect', { redirect: 'http://169.254.169.254/latest/meta-data' }, 'transient'],
  ] as const)('of %s has its kind, and its message holds no word of the source', async (_, action, kind) => {
    const { connection, emulator } = await openZoho({ timeoutMs: 500 })
    await connection.identify(signal)
    emulator.faults.add({ match: '/crm/v8/org', to: 9, from: 1, action })
    const failure = await connection.identify(signal).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'SourceFailure', kind })
    expect(String(failure)).not.toMatch(/sub-concurrency|Maintenance|1000\./)
  })

  it('of a body larger than the bound is `transient`', async () => {
    const { connection } = await openZoho({ counts: { Contacts: 200 }, bodyBytesMax: 20_000 })
    await expect(readAll(connection, 'Contacts')).rejects.toMatchObject({ kind: 'transient' })
  })

  it('does not hide an abort: the reason of the caller is thrown, also while the source is silent', async () => {
    const { connection, emulator } = await openZoho()
    emulator.faults.add({ match: '/crm/v8/org', action: 'silent' })
    const controller = new AbortController()
    const reading = connection.identify(controller.signal)
    await expect.poll(() => emulator.log.length).toBe(2)
    controller.abort(new Error('cancelled'))
    await expect(reading).rejects.toThrow('cancelled')
  })
})
