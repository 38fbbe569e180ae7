import { expect, test } from 'vitest'
import { firstByDay } from '../support/by-day.ts'
import { type Imports, openImports } from './import-harness.ts'
import { MemorySource } from './memory-source.ts'

/** A generator of numbers by a seed, so that a failing sequence can be repeated. */
function randomOf(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
type Random = ReturnType<typeof randomOf>

function mutate(source: MemorySource, random: Random): void {
  const id = String(1 + random(12))
  const person = { module: 'Contacts', id: String(1 + random(12)) } as const
  const kind = random(5)
  const word = `word ${random(1000)}`
  if (kind <= 1) {
    const fields = { lastName: word, company: random(2) ? word : null, email: `p${id}@example.com` }
    source.put({ module: 'Contacts', id, fields, customFields: { Score: random(9) } })
  } else if (kind === 2) source.put({ module: 'Deals', id, person, fields: { subject: word } })
  else if (kind === 3) {
    const parent = { module: 'Contacts', id } as const
    source.put({ module: 'Notes', id, parent, fields: { content: word } })
  } else source.put({ module: 'Calls', id, person, fields: { subject: word, startedAt: source.now } })
}

/** Everything that was imported, without ids and times of this database. */
async function stateOf(imports: Imports) {
  const customers = await imports.customers()
  const external = new Map(customers.map(({ _id, externalIds }) => [_id, externalIds[0]]))
  const conversations = await imports.conversations()
  const notes = await Promise.all(conversations.map(({ _id }) => imports.messagesOf(_id)))
  const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
  return {
    customers: sorted(
      customers.map(({ profile, customFields, externalIds }) => ({ profile, customFields, externalIds })),
    ),
    conversations: sorted(
      conversations.map(({ subject, customerId, externalIds }) => ({
        subject,
        externalIds,
        customer: external.get(customerId ?? ''),
      })),
    ),
    notes: sorted(notes.flat().map(({ content, externalId }) => ({ content, externalId }))),
    calls: sorted(
      (await imports.calls()).map(({ metadata, customerId, externalIds }) => ({
        metadata,
        externalIds,
        customer: external.get(customerId ?? ''),
      })),
    ),
  }
}

/** Contacts to which nothing refers: these can be deleted at the source. */
const looseIds = ['21', '22', '23'] as const

function changeLoose(source: MemorySource, random: Random): void {
  const id = looseIds[random(looseIds.length)] ?? '21'
  const isThere = source.records('Contacts').some((record) => record.id === id)
  if (isThere && random(2) === 0) source.remove('Contacts', id)
  else source.put({ module: 'Contacts', id, fields: { lastName: `word ${random(1000)}` } })
}

/** Edits some customers as a person does here; returns the edits by the id of the contact. */
async function editLocally(imports: Imports, random: Random): Promise<Map<string, string>> {
  const edits = new Map<string, string>()
  for (const { _id: id, version, profile, externalIds } of await imports.customers()) {
    const contact = externalIds[0]?.split(':').at(-1) ?? ''
    if (random(4) !== 0 || (looseIds as readonly string[]).includes(contact)) continue
    const company = `edited here ${random(1_000_000)}`
    const set = { profile: { ...profile, company }, updatedAt: new Date().toISOString() }
    await imports.store.commit({
      writes: [{ op: 'update', kind: 'customers', id, expectVersion: version, set }],
      events: [],
    })
    edits.set(contact, company)
  }
  return edits
}

type State = Awaited<ReturnType<typeof stateOf>>

/** Returns the state of a clean import as it is where people have edited companies. */
function withEdits(state: State, edits: ReadonlyMap<string, string>): State {
  const customers = state.customers.map((text) => {
    const customer = JSON.parse(text) as { profile: object; externalIds: string[] }
    const company = edits.get(customer.externalIds[0]?.split(':').at(-1) ?? '')
    return company === undefined
      ? text
      : JSON.stringify({ ...customer, profile: { ...customer.profile, company } })
  })
  return { ...state, customers: customers.sort() }
}

/** Does one run with some stops, while the source changes; returns its id. */
async function runWithStops(
  imports: Imports,
  { source, random, isAuto }: { source: MemorySource; random: Random; isAuto: boolean },
): Promise<string> {
  const { syncedUntil } = (await imports.store.integrations.find('int_1')) ?? {}
  const id = await imports.start(isAuto ? { trigger: 'auto', since: syncedUntil ?? null } : {})
  for (let stops = 0; stops < 4; stops++) {
    const controller = new AbortController()
    let left = 1 + random(6)
    source.beforePage = () => {
      if (random(3) === 0) mutate(source, random)
      if (left-- === 0) controller.abort()
    }
    await imports.work(id, controller.signal)
  }
  source.beforePage = () => {}
  await imports.work(id)
  const run = await imports.runOf(id)
  expect(run.status === 'completed' || run.status === 'completed_with_errors').toBe(true)
  for (const counts of Object.values(run.modules)) {
    const { read, created, updated, unchanged, merged, skipped, failed } = counts
    expect(read).toBe(created + updated + unchanged + merged + skipped + failed)
  }
  return id
}

const seeds = Array.from({ length: 12 }, (_, index) => index + 1)

test.each(firstByDay(seeds, 4))(
  'sequence %i of changes and deletions at the source, edits here, stops between two pages and repeated imports ends as one clean import does, and can be undone',
  async (seed) => {
    const random = randomOf(seed)
    const hasEdits = seed % 2 === 0
    const source = new MemorySource({ pageSize: 3 })
    for (let id = 1; id <= 12; id++)
      source.put({ module: 'Contacts', id: String(id), fields: { lastName: 'First' } })
    for (let index = 0; index < 30; index++) mutate(source, random)
    for (let index = 0; index < 5; index++) changeLoose(source, random)
    const imports = await openImports(source.open)
    const runs: string[] = []
    const edits = new Map<string, string>()
    for (let round = 0; round < 3; round++) {
      const isAuto = round > 0 && random(2) === 0
      runs.push(await runWithStops(imports, { source, random, isAuto }))
      if (hasEdits) for (const [id, company] of await editLocally(imports, random)) edits.set(id, company)
      for (let index = 0; index < 4; index++) changeLoose(source, random)
    }
    runs.push((await imports.importAll())._id)
    const clean = await openImports(source.open)
    await clean.importAll()
    // A contact that was deleted at the source stays here, archived.
    const isGone = (id: string) => !source.records('Contacts').some((record) => record.id === id)
    const gone = (await imports.customers()).filter(({ externalIds }) =>
      isGone(externalIds[0]?.split(':').at(-1) ?? ''),
    )
    expect(gone.map(({ status }) => status)).toEqual(gone.map(() => 'archived'))
    const known = new Set(gone.map(({ externalIds }) => JSON.stringify(externalIds)))
    const stateAtSource = async () => {
      const state = await stateOf(imports)
      const customers = state.customers.filter(
        (text) => !known.has(JSON.stringify((JSON.parse(text) as { externalIds: string[] }).externalIds)),
      )
      return { ...state, customers }
    }
    const expected = withEdits(await stateOf(clean), edits)
    expect(await stateAtSource()).toEqual(expected)
    // Every contact of the source is here, exactly once, and active.
    const active = (await imports.customers()).filter(({ status }) => status === 'active')
    expect(active.flatMap(({ externalIds }) => externalIds).toSorted()).toEqual(
      source
        .records('Contacts')
        .map(({ id }) => `zoho:acc:Contacts:${id}`)
        .toSorted(),
    )

    // The next import brings back everything that was undone.
    await imports.undo(runs.pop() ?? '')
    runs.push((await imports.importAll())._id)
    expect(await stateAtSource()).toEqual(expected)

    for (const id of runs.toReversed()) expect((await imports.undo(id)).undo.status).toBe('done')
    // Nothing is left but the people whom somebody has edited here.
    const left = (await imports.customers()).map(({ externalIds }) => externalIds[0]?.split(':').at(-1))
    expect(left.toSorted()).toEqual([...edits.keys()].toSorted())
    if (!hasEdits) {
      expect(await imports.conversations()).toEqual([])
      expect(await imports.calls()).toEqual([])
    }
  },
)
