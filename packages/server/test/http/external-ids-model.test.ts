// Runs on both databases by day: a random walk over stored states.

import { type Arbitrary, constant, constantFrom, oneof, record } from 'fast-check'
import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { finishedRun, imported } from '../support/customer-doors.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { runModel } from '../support/run-model.ts'
import { useService } from '../support/use-service.ts'

// The one register of external ids, written a second time and as simply as possible: who has which id after any sequence
// of requests by external id, imports, undos, merges and deletions.

const running = useService()

/** Rows 1 to 3 are in the file of the import; the shop's id is not. */
const names = ['1', '2', '3', 'shop'] as const
type Name = (typeof names)[number]
type Action =
  | { type: 'put' | 'delete'; name: Name }
  | { type: 'merge'; name: Name; into: Name }
  | { type: 'import' | 'undo' }

const name = constantFrom(...names)
const action: Arbitrary<Action> = oneof(
  { weight: 4, arbitrary: record({ type: constant('put' as const), name }) },
  { weight: 2, arbitrary: record({ type: constant('delete' as const), name }) },
  { weight: 3, arbitrary: record({ type: constant('merge' as const), name, into: name }) },
  { weight: 3, arbitrary: record({ type: constant('import' as const) }) },
  { weight: 2, arbitrary: record({ type: constant('undo' as const) }) },
)

interface Person {
  id: string
  /** The run that wrote the person last; undefined: somebody else did. */
  lastRun?: string | undefined
}

interface Id {
  owner: Person
  /** `given`: no import has met it. Else the run that met or made it, until that is undone. */
  by: { type: 'given' } | { type: 'met' | 'made'; run: string } | { type: 'imported' }
}

class Walk {
  readonly #ask: MailInbox['ask']
  readonly #source: ReturnType<typeof imported>
  readonly #prefix: string
  readonly #ids = new Map<Name, Id>()
  readonly #erased = new Set<Name>()
  readonly #runs: string[] = []
  #puts = 0

  constructor({ ask }: MailInbox, source: ReturnType<typeof imported>) {
    this.#ask = ask
    this.#source = source
    this.#prefix = `file:${source.path().split('/').at(-1)}:Contacts:`
  }

  #textOf(name: Name): string {
    return name === 'shop' ? 'shop:4711' : `${this.#prefix}${name}`
  }

  #idsOf(person: Person): [Name, Id][] {
    return [...this.#ids].filter(([, { owner }]) => owner === person)
  }

  async #found(name: Name): Promise<string[]> {
    const query = `externalId=${encodeURIComponent(this.#textOf(name))}`
    const { data } = (await this.#ask('GET', `/api/v1/customers?${query}`)).body
    return (data as { _id: string }[]).map(({ _id }) => _id)
  }

  async put(name: Name): Promise<void> {
    const [source = '', ...rest] = this.#textOf(name).split(':')
    const path = `/api/v1/customers/by-external-id/${source}/${encodeURIComponent(rest.join(':'))}`
    const body = { firstName: 'Put', jobTitle: `Put ${++this.#puts}` }
    const response = await this.#ask('PUT', path, body)
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    const { _id } = response.body.data
    const known = this.#ids.get(name)
    if (known === undefined) this.#ids.set(name, { owner: { id: _id }, by: { type: 'given' } })
    else {
      expect(_id).toBe(known.owner.id)
      known.owner.lastRun = undefined
    }
  }

  async delete(name: Name): Promise<void> {
    const person = this.#ids.get(name)?.owner
    if (person === undefined) return
    expect((await this.#ask('DELETE', `/api/v1/customers/${person.id}`)).status).toBe(200)
    for (const [lost] of this.#idsOf(person)) {
      this.#ids.delete(lost)
      this.#erased.add(lost)
    }
  }

  async merge(name: Name, into: Name): Promise<void> {
    const [source, target] = [this.#ids.get(name)?.owner, this.#ids.get(into)?.owner]
    if (source === undefined || target === undefined || source === target) return
    const path = `/api/v1/customers/${target.id}/merge`
    expect((await this.#ask('POST', path, { sourceId: source.id })).status).toBe(200)
    for (const [, id] of this.#idsOf(source)) id.owner = target
    target.lastRun = undefined
  }

  async import(): Promise<void> {
    const { _id: run } = await this.#source.run()
    this.#runs.push(run)
    for (const name of ['1', '2', '3'] as const) {
      const known = this.#ids.get(name)
      if (known?.by.type === 'given') {
        known.by = { type: 'met', run }
        known.owner.lastRun = run
      }
      if (known !== undefined || this.#erased.has(name)) continue
      const [id = ''] = await this.#found(name)
      this.#ids.set(name, { owner: { id, lastRun: run }, by: { type: 'made', run } })
    }
  }

  async undo(): Promise<void> {
    const run = this.#runs.pop()
    if (run === undefined) return
    const path = this.#source.path()
    expect((await this.#ask('POST', `${path}/imports/${run}/undo`)).status).toBe(202)
    expect((await finishedRun(this.#ask, path)).undo.status).toBe('done')
    const restored = new Set<Person>()
    for (const [name, id] of [...this.#ids]) {
      if (!('run' in id.by) || id.by.run !== run) continue
      const isUnchanged = id.owner.lastRun === run
      if (isUnchanged && id.by.type === 'made') this.#ids.delete(name)
      else if (isUnchanged) {
        id.by = { type: 'given' }
        restored.add(id.owner)
      } else id.by = { type: 'imported' }
    }
    for (const person of restored) person.lastRun = undefined
  }

  async check(): Promise<void> {
    for (const name of names) {
      const owner = this.#ids.get(name)?.owner.id
      expect([name, await this.#found(name)]).toEqual([name, owner === undefined ? [] : [owner]])
    }
  }
}

async function begin(): Promise<Walk> {
  const inbox = await makeMailInbox(running)
  const source = imported(inbox, 'file', () => ({}))
  const path = await source.connect()
  const file = new File(['Id,First Name,Last Name\n1,Ada,A\n2,Bea,B\n3,Cy,C'], 'people.csv')
  const { token } = inbox.owner
  const form = { module: 'Contacts', file }
  expect((await call(running.url, { method: 'POST', path: `${path}/files`, token, form })).status).toBe(201)
  return new Walk(inbox, source)
}

async function take(walk: Walk, step: Action): Promise<void> {
  if (step.type === 'merge') return walk.merge(step.name, step.into)
  if (step.type === 'put' || step.type === 'delete') return walk[step.type](step.name)
  return walk[step.type]()
}

test('an external id has one customer at most, and every request and import by it finds that one', async () => {
  await runModel({
    name: 'external ids',
    action,
    runForMs: 20_000,
    async walk(actions) {
      const walk = await begin()
      for (const step of actions) {
        await take(walk, step)
        await walk.check()
      }
    },
  })
})
