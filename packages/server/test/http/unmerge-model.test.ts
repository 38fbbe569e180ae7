// Runs on both databases by day: a random walk over stored states.

import { type Arbitrary, constantFrom, nat, oneof, option, record, subarray } from 'fast-check'
import { expect, test } from 'vitest'
import { peopleOfAddress } from '../../src/shared/people-of-address.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { runModel } from '../support/run-model.ts'
import { useService } from '../support/use-service.ts'

// Merges that are taken back in any order, between other writes (ADR 0062), against a model that knows nothing of pages,
// tasks and rows: who has which conversation, which value, which address and which external id.

const service = useService()

const addresses = ['ada@x.test', 'bob@x.test', 'cyd@x.test', 'dee@x.test'] as const
const anyAddress = constantFrom(...addresses)
const words = constantFrom('one', 'two')
const which = nat(20)

type Action =
  | { type: 'create'; email: string | null; jobTitle: string | null; tag: string | null }
  | { type: 'change'; which: number; email: string | null }
  | { type: 'retitle'; which: number; jobTitle: string | null; tags: string[]; field: string | null }
  | { type: 'begin'; which: number }
  | { type: 'give'; which: number; other: number }
  | { type: 'mail'; email: string }
  | { type: 'external'; id: string }
  | { type: 'merge'; which: number; other: number }
  | { type: 'unmerge'; which: number }
  | { type: 'block' | 'delete'; which: number }

const merge = record({ type: constantFrom('merge'), which, other: which })
const unmerge = record({ type: constantFrom('unmerge'), which })
const action: Arbitrary<Action> = oneof(
  record({
    type: constantFrom('create'),
    email: option(anyAddress),
    jobTitle: option(words),
    tag: option(words),
  }),
  record({ type: constantFrom('change'), which, email: option(anyAddress) }),
  record({
    type: constantFrom('retitle'),
    which,
    jobTitle: option(words),
    tags: subarray(['one', 'two']),
    field: option(words),
  }),
  record({ type: constantFrom('begin'), which }),
  record({ type: constantFrom('give'), which, other: which }),
  record({ type: constantFrom('mail'), email: anyAddress }),
  record({ type: constantFrom('external'), id: constantFrom('1', '2', '3') }),
  merge,
  merge,
  unmerge,
  unmerge,
  record({ type: constantFrom('block', 'delete'), which }),
)

type Standing = 'own' | 'more' | 'former'

interface Person {
  id: string
  jobTitle: string | null
  tags: string[]
  fields: Record<string, string>
  external: string[]
  addresses: Map<string, Standing>
  isBlocked: boolean
}

interface Merge {
  target: string
  source: Person
  before: Person
  after: Person
  /** The e-mail of the target's profile before the merge and after it: unlike its addresses no other unmerge changes them. */
  profile: { was: string | null; filled: string | null }
  moved: string[]
}

const copy = (person: Person): Person => structuredClone(person)
const ownOf = ({ addresses }: Person) =>
  [...addresses].find(([, standing]) => standing === 'own')?.[0] ?? null
const isCurrent = ({ addresses }: Person, address: string) =>
  ['own', 'more'].includes(addresses.get(address) ?? '')

class Model {
  people = new Map<string, Person>()
  /** The customer of each conversation. */
  owners = new Map<string, string>()
  merges: Merge[] = []

  add(person: Person): void {
    this.people.set(person.id, person)
  }
  holdersOf(address: string): Person[] {
    return [...this.people.values()].filter((person) => isCurrent(person, address))
  }
  change(person: Person, email: string | null): void {
    const was = ownOf(person)
    if (was === email) return
    if (was !== null) person.addresses.set(was, 'former')
    if (email !== null) person.addresses.set(email, 'own')
  }
  merge(target: Person, source: Person): void {
    const before = copy(target)
    const own = ownOf(target) ?? ownOf(source)
    for (const address of new Set([...target.addresses.keys(), ...source.addresses.keys()])) {
      const isNow = isCurrent(target, address) || isCurrent(source, address)
      target.addresses.set(address, address === own ? 'own' : isNow ? 'more' : 'former')
    }
    target.jobTitle ??= source.jobTitle
    target.tags = [...new Set([...target.tags, ...source.tags])]
    target.fields = { ...source.fields, ...target.fields }
    target.external.push(...source.external)
    target.isBlocked ||= source.isBlocked
    const moved = [...this.owners].flatMap(([id, owner]) => (owner === source.id ? [id] : []))
    for (const id of moved) this.owners.set(id, target.id)
    this.people.delete(source.id)
    const profile = { was: ownOf(before), filled: ownOf(target) }
    this.merges.push({ target: target.id, source: copy(source), before, after: copy(target), profile, moved })
  }
  /** Returns what stays with the target although the merge brought it. */
  unmerge(merge: Merge): Set<string> {
    const { source, before, after } = merge
    const target = this.people.get(merge.target) as Person
    const kept = new Set<string>()
    const isOther = (one: Merge) => one !== merge && one.target === target.id
    const others = this.merges.filter(isOther)
    const later = this.merges.slice(this.merges.indexOf(merge)).filter(isOther)
    this.merges = this.merges.filter((one) => one !== merge)
    this.#partAddresses(merge, target, { others, later }, kept)
    if (before.jobTitle === null && after.jobTitle !== null) {
      if (target.jobTitle === after.jobTitle) target.jobTitle = null
      else if (target.jobTitle !== null) kept.add('jobTitle')
    }
    target.tags = target.tags.filter((tag) => before.tags.includes(tag) || !after.tags.includes(tag))
    for (const [name, value] of Object.entries(after.fields)) {
      if (name in before.fields) continue
      if (target.fields[name] === value) delete target.fields[name]
      else if (name in target.fields) kept.add(`customFields.${name}`)
    }
    const brought = source.external.filter((id) => target.external.includes(id))
    target.external = target.external.filter((id) => !brought.includes(id))
    source.isBlocked ||= target.isBlocked
    for (const id of merge.moved) {
      const owner = this.owners.get(id)
      if (owner === target.id) this.owners.set(id, source.id)
      else if (owner !== undefined && owner !== source.id) kept.add(id)
    }
    this.add(copy({ ...source, external: brought }))
    return kept
  }

  #partAddresses(
    { source, before, after, profile: { was, filled } }: Merge,
    target: Person,
    { others, later }: { others: Merge[]; later: Merge[] },
    kept: Set<string>,
  ): void {
    const isFilled = was === null && filled !== null
    if (isFilled && ownOf(target) === filled) target.addresses.set(filled, 'more')
    else if (isFilled && ownOf(target) !== null) kept.add('profile.email')
    const own = ownOf(target)
    for (const address of source.addresses.keys()) {
      const isOf = (merges: Merge[]) => merges.some((other) => isCurrent(other.source, address))
      const standing = before.addresses.get(address)
      const became = isFilled && address === filled ? 'more' : after.addresses.get(address)
      if (address !== own) {
        // The state before this one holds the addresses of earlier merges.
        if (standing === undefined) {
          if (!isOf(others)) target.addresses.delete(address)
        } else if (standing !== 'own' && !isOf(later) && target.addresses.get(address) === became)
          target.addresses.set(address, standing)
      }
      for (const other of others) {
        if (standing === undefined) other.before.addresses.delete(address)
        else if (other.before.addresses.get(address) === after.addresses.get(address))
          other.before.addresses.set(address, standing)
      }
    }
  }

  erase(person: Person): void {
    this.people.delete(person.id)
    for (const [id, owner] of this.owners) if (owner === person.id) this.owners.delete(id)
  }
}

class Subject {
  readonly model = new Model()
  readonly #inbox: MailInbox
  constructor(inbox: MailInbox) {
    this.#inbox = inbox
  }

  async #ask(method: string, path: string, body?: unknown) {
    const response = await this.#inbox.ask(method, path, body)
    expect(response.status, `${method} ${path} ${JSON.stringify(response.body)}`).toBeLessThan(300)
    return response.body.data
  }

  #pick(number: number): Person | undefined {
    return [...this.model.people.values()][number % Math.max(1, this.model.people.size)]
  }

  #new(id: string, given: Partial<Person> & { email?: string | null } = {}): void {
    const { email = null, ...fields } = given
    const own = new Map<string, Standing>(email === null ? [] : [[email, 'own']])
    const blank = { jobTitle: null, tags: [], fields: {}, external: [], isBlocked: false }
    this.model.add({ id, ...blank, addresses: own, ...fields })
  }

  async apply(action: Action): Promise<void> {
    const { model } = this
    switch (action.type) {
      case 'create': {
        const { email, jobTitle, tag } = action
        const tags = tag === null ? [] : [tag]
        const body = { firstName: 'Person', email, jobTitle, tags }
        this.#new((await this.#ask('POST', '/api/v1/customers', body))._id, { email, jobTitle, tags })
        return
      }
      case 'change': {
        const person = this.#pick(action.which)
        if (!person) return
        await this.#ask('PUT', `/api/v1/customers/${person.id}`, { email: action.email })
        model.change(person, action.email)
        return
      }
      case 'retitle': {
        const person = this.#pick(action.which)
        if (!person) return
        const { jobTitle, tags, field } = action
        const fields: Record<string, string> = field === null ? {} : { plan: field }
        await this.#ask('PUT', `/api/v1/customers/${person.id}`, { jobTitle, tags, customFields: fields })
        Object.assign(person, { jobTitle, tags, fields })
        return
      }
      case 'begin': {
        const person = this.#pick(action.which)
        if (!person) return
        const body = { subject: 'Help', inboxId: this.#inbox.inboxId, customerId: person.id }
        model.owners.set((await this.#ask('POST', '/api/v1/conversations', body))._id, person.id)
        return
      }
      case 'give': {
        const id = [...model.owners.keys()][action.which % Math.max(1, model.owners.size)]
        const person = this.#pick(action.other)
        if (!person || id === undefined) return
        await this.#ask('PUT', `/api/v1/conversations/${id}`, { customerId: person.id })
        model.owners.set(id, person.id)
        return
      }
      case 'mail': {
        const found = model.holdersOf(action.email)
        const isBlocked = found.some((person) => person.isBlocked)
        const hasFormer = [...model.people.values()].some((person) => person.addresses.has(action.email))
        if (isBlocked || (found.length === 0 && hasFormer)) return
        const { conversationId = '' } = await this.#inbox.receive({ from: `Person <${action.email}>` })
        const { customerId } = await this.#inbox.conversationOf(conversationId)
        if (found.length === 0) this.#new(customerId._id, { email: action.email })
        else expect(found.map(({ id }) => id)).toContain(customerId._id)
        model.owners.set(conversationId, customerId._id)
        return
      }
      case 'external': {
        const known = [...model.people.values()].find(({ external }) => external.includes(action.id))
        const path = `/api/v1/customers/by-external-id/shop/${action.id}`
        const { _id } = await this.#ask('PUT', path, { firstName: 'Person' })
        if (known) expect(_id).toBe(known.id)
        else this.#new(_id, { external: [action.id] })
        return
      }
      case 'merge': {
        const [target, source] = [this.#pick(action.which), this.#pick(action.other)]
        if (!target || !source || target === source) return
        await this.#ask('POST', `/api/v1/customers/${target.id}/merge`, { sourceId: source.id })
        model.merge(target, source)
        return
      }
      case 'unmerge': {
        const merge = model.merges[action.which % Math.max(1, model.merges.length)]
        if (!merge) return
        const path = `/api/v1/customers/${merge.target}/unmerge`
        const body = { sourceId: merge.source.id }
        if (!model.people.has(merge.target)) {
          expect((await this.#inbox.ask('POST', path, body)).status).toBe(404)
          return
        }
        const data = await this.#ask('POST', path, body)
        expect(new Set(data.kept)).toEqual(model.unmerge(merge))
        return
      }
      case 'block': {
        const person = this.#pick(action.which)
        if (!person) return
        await this.#ask('POST', `/api/v1/customers/${person.id}/${person.isBlocked ? 'unblock' : 'block'}`)
        person.isBlocked = !person.isBlocked
        return
      }
      case 'delete': {
        const person = this.#pick(action.which)
        if (!person) return
        await this.#ask('DELETE', `/api/v1/customers/${person.id}`)
        model.erase(person)
      }
    }
  }

  /** No row is lost, none is there twice, and each belongs to whom it should. */
  async check(): Promise<void> {
    const { model } = this
    const customers = await this.#ask('GET', '/api/v1/customers?limit=100')
    const shown = customers.map((row: Record<string, unknown>) => [
      row['_id'],
      (row['profile'] as { email: string | null }).email,
      row['jobTitle'],
      (row['tags'] as string[]).toSorted(),
      row['customFields'],
      (row['externalIds'] as string[]).toSorted(),
      row['blockedAt'] !== null,
    ])
    const expected = [...model.people.values()].map((person) => [
      person.id,
      ownOf(person),
      person.jobTitle,
      person.tags.toSorted(),
      person.fields,
      person.external.map((id) => `shop:${id}`).toSorted(),
      person.isBlocked,
    ])
    const byId = (rows: unknown[][]) => rows.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
    expect(byId(shown)).toEqual(byId(expected))
    const conversations = await this.#ask('GET', '/api/v1/conversations?limit=100')
    const owners = conversations.map((row: { _id: string; customerId: { _id: string } | string | null }) => [
      row._id,
      typeof row.customerId === 'object' ? row.customerId?._id : row.customerId,
    ])
    expect(byId(owners)).toEqual(byId([...model.owners]))
    for (const address of addresses) {
      const { current } = await peopleOfAddress(this.#inbox.store, address)
      const holders = current.map(({ _id }) => _id).toSorted()
      expect([address, holders]).toEqual([
        address,
        model
          .holdersOf(address)
          .map(({ id }) => id)
          .toSorted(),
      ])
    }
  }
}

test(
  'merges that are taken back in any nesting lose no row, double none, and leave none with a wrong owner',
  async () => {
    await runModel({
      name: 'unmerge',
      action,
      runForMs: 15_000,
      walk: async (actions) => {
        const subject = new Subject(await makeMailInbox(service))
        for (const one of actions) {
          await subject.apply(one)
          await subject.check()
        }
      },
    })
  },
  process.env['CRM_MODEL_WALKS'] === undefined ? 180_000 : 3_600_000,
)
