import { expect, test } from 'vitest'
import type { FaultAction, Faults } from '../../../../examples/zoho-emulator/src/faults.ts'
import type { SourceConnection } from '../../src/ports/connector.ts'
import { type Imports, openImports } from '../imports/import-harness.ts'
import { openHubspot } from '../support/hubspot-account.ts'
import { openZoho } from '../support/zoho-account.ts'

/** Each one either passes by itself or is mended by a repeated request, a refreshed token or a short wait. */
const actions: readonly FaultAction[] = [
  { status: 429, code: 'TOO_MANY_REQUESTS', message: 'concurrency', body: { policyName: 'SECONDLY' } },
  { status: 429, retryAfter: 0 },
  { status: 500 },
  { status: 503, retryAfter: 1 },
  'truncated-json',
  'html',
  'reset',
  'expire-tokens',
  { slowMs: 200 },
]

/** Everything that was imported, without the ids and times of this database. */
async function stateOf(imports: Imports) {
  const customers = await imports.customers()
  const conversations = await imports.conversations()
  const external = new Map(
    [...customers, ...conversations].map(({ _id, externalIds }) => [_id, externalIds[0]]),
  )
  const messages = await Promise.all(conversations.map(({ _id }) => imports.messagesOf(_id)))
  const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
  return {
    customers: sorted(
      customers.map(({ profile, customFields, externalIds }) => ({ profile, customFields, externalIds })),
    ),
    conversations: sorted(
      conversations.map(({ subject, status, customerId, externalIds }) => {
        const customer = external.get(customerId ?? '')
        return { subject, status, customer, externalIds }
      }),
    ),
    messages: sorted(
      messages.flat().map(({ content, externalId, conversationId }) => {
        const conversation = external.get(conversationId)
        return { content, externalId, conversation }
      }),
    ),
    calls: sorted(
      (await imports.calls()).map(({ metadata, customerId, externalIds }) => {
        const customer = external.get(customerId ?? '')
        return { metadata, customer, externalIds }
      }),
    ),
  }
}

async function importedState(connection: SourceConnection) {
  const imports = await openImports(() => connection)
  const run = await imports.importAll()
  expect([run.status, run.errorCount]).toEqual(['completed', 0])
  return stateOf(imports)
}

const faultsOfScript = 5

/** Spoils five of the first eleven requests. The two scripts together hold every action. */
function addScript(faults: Faults, { match, script }: { match: string; script: number }): void {
  for (let index = 0; index < faultsOfScript; index++) {
    const action = actions[(script + index * 2) % actions.length] as FaultAction
    faults.add({ match, from: 2 + index * 2 + ((script + index) % 2), action })
  }
}

test.each([1, 2])(
  'an import of Zoho CRM under fault script %i ends with the state of one without faults',
  async (script) => {
    const counts = { Accounts: 3, Contacts: 90, Deals: 20, Cases: 20, Notes: 30, Calls: 10 }
    const { connection, emulator } = await openZoho({ counts })
    const clean = await importedState(connection)
    expect(clean.customers.length).toBe(90)
    addScript(emulator.faults, { match: '/crm/v8/', script })
    expect(await importedState(connection)).toEqual(clean)
    expect(emulator.faults.played).toBe(faultsOfScript)
  },
)

test.each([1, 2])(
  'an import of HubSpot under fault script %i ends with the state of one without faults',
  async (script) => {
    const counts = { contacts: 90, companies: 90, deals: 20, tickets: 20, notes: 30, calls: 10, emails: 20 }
    const { connection, emulator } = await openHubspot({ counts, linksOfObject: 120, threads: 20 })
    const clean = await importedState(connection)
    expect(clean.customers.length).toBe(90)
    addScript(emulator.faults, { match: '/crm/', script })
    addScript(emulator.faults, { match: '/conversations/', script })
    expect(await importedState(connection)).toEqual(clean)
    expect(emulator.faults.played).toBe(2 * faultsOfScript)
  },
)

test('an import beyond the credits of Zoho pauses with the time when it continues, and then loses and doubles nothing', async () => {
  const { connection, emulator } = await openZoho({ counts: { Contacts: 900 }, credits: 4 })
  const imports = await openImports(() => connection)
  const id = await imports.start({}, { importDeals: false, importNotes: false, importActivities: false })
  let pauses = 0
  for (let day = 1; day <= 5 && (await imports.runOf(id)).status !== 'completed'; day++) {
    const before = emulator.log.length
    await imports.work(id)
    const run = await imports.runOf(id)
    if (run.status !== 'paused') break
    pauses += 1
    expect(run.pauseReason).toBe('quota')
    expect(Date.parse(run.resumeAt ?? '')).toBeGreaterThan(Date.now() + 60_000)
    // One refused request ends the day: it is not repeated.
    expect(emulator.log.slice(before).filter(({ status }) => status === 429)).toHaveLength(1)
    emulator.api.limits.restoreCredits()
  }
  expect(pauses).toBeGreaterThan(0)
  expect(await imports.runOf(id)).toMatchObject({
    status: 'completed',
    modules: { Contacts: { created: 900, read: 900 } },
  })
})

test('an import beyond the requests that HubSpot allows at a time waits, and repeats a refused request seldom', async () => {
  const limits = { requests: { max: 8, windowMs: 1_500 }, searches: { max: 1, windowMs: 500 } }
  const { connection, emulator } = await openHubspot({ counts: { contacts: 900 }, limits })
  const imports = await openImports(() => connection)
  const run = await imports.importAll()
  expect(run).toMatchObject({ status: 'completed', modules: { Contacts: { created: 900, read: 900 } } })
  const refused = emulator.log.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(emulator.log.length / 2)
})
