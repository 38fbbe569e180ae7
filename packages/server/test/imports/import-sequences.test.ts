import { expect, test } from 'vitest'
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

test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
  'sequence %i of changes at the source, stops between two pages and repeated imports ends as one clean import does',
  async (seed) => {
    const random = randomOf(seed)
    const source = new MemorySource({ pageSize: 3 })
    for (let id = 1; id <= 12; id++)
      source.put({ module: 'Contacts', id: String(id), fields: { lastName: 'First' } })
    for (let index = 0; index < 30; index++) mutate(source, random)
    const imports = await openImports(source.open)
    for (let round = 0; round < 3; round++) {
      const id = await imports.start(round > 0 && random(2) === 0 ? { trigger: 'auto', since: null } : {})
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
    }
    await imports.importAll()
    const clean = await openImports(source.open)
    await clean.importAll()
    expect(await stateOf(imports)).toEqual(await stateOf(clean))
    // Every record of the source that has its parent is here, exactly once.
    const links = (await imports.customers()).flatMap(({ externalIds }) => externalIds)
    expect(links.toSorted()).toEqual(
      source
        .records('Contacts')
        .map(({ id }) => `zoho:acc:Contacts:${id}`)
        .toSorted(),
    )
  },
)
