// Runs on both databases by day: a random walk over stored states.

import { randomUUID } from 'node:crypto'
import { type Arbitrary, constantFrom, nat, oneof, option, record } from 'fast-check'
import { expect, test } from 'vitest'
import { isBlockedAddress } from '../../src/shared/is-blocked-address.ts'
import { peopleOfAddress } from '../../src/shared/people-of-address.ts'
import { call } from '../support/call.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { runModel } from '../support/run-model.ts'
import { useService } from '../support/use-service.ts'
import { signUser, switchWidgetOn, type Widget, WidgetVisitor } from '../support/widget-visitor.ts'

// The register of people's addresses (ADR 0051), written a second time and as simply as possible: every door against it.

const service = useService()

const addresses = ['ada@x.test', 'bob@x.test', 'cyd@x.test', 'dee@x.test'] as const
const anyAddress = constantFrom(...addresses)
const which = nat(20)

type Action =
  | { type: 'create' | 'mail' | 'type'; email: string }
  | { type: 'change'; which: number; email: string | null }
  | { type: 'import'; email: string; second: string; isUndone: boolean }
  | { type: 'join'; which: number; email: string }
  | { type: 'signIn'; email: string; typed: string | null }
  | { type: 'merge'; which: number; other: number }
  | { type: 'block' | 'delete'; which: number }

const action: Arbitrary<Action> = oneof(
  record({ type: constantFrom('create', 'mail', 'type'), email: anyAddress }),
  record({ type: constantFrom('change'), which, email: option(anyAddress) }),
  record({
    type: constantFrom('import'),
    email: anyAddress,
    second: anyAddress,
    isUndone: constantFrom(true, false),
  }),
  record({ type: constantFrom('join'), which, email: anyAddress }),
  record({ type: constantFrom('signIn'), email: anyAddress, typed: option(anyAddress) }),
  record({ type: constantFrom('merge'), which, other: which }),
  record({ type: constantFrom('block', 'delete'), which }),
)

interface Person {
  id: string
  /** `profile.email`. */
  own: string | null
  isTyped: boolean
  second: Set<string>
  former: Set<string>
  isBlocked: boolean
}

class Model {
  people: Person[] = []

  known = ({ own, isTyped }: Person) => (isTyped ? null : own)
  has = (person: Person, address: string) => this.known(person) === address || person.second.has(address)
  current = (address: string) => this.people.filter((person) => this.has(person, address))
  former = (address: string) =>
    this.people.filter((person) => person.former.has(address) && !this.has(person, address))
  isBlocked(address: string): boolean {
    const current = this.current(address)
    return (current.length > 0 ? current : this.former(address)).some((person) => person.isBlocked)
  }
  add(id: string, own: string | null, isTyped = false): Person {
    const person = {
      id,
      own,
      isTyped,
      second: new Set<string>(),
      former: new Set<string>(),
      isBlocked: false,
    }
    this.people.push(person)
    return person
  }
  change(person: Person, email: string | null): void {
    if (email === person.own) return
    const was = this.known(person)
    if (was !== null) person.former.add(was)
    this.become(person, email)
  }
  become(person: Person, email: string | null): void {
    if (email !== null) for (const set of [person.second, person.former]) set.delete(email)
    Object.assign(person, { own: email, isTyped: false })
  }
  learn(person: Person, emails: string[]): void {
    for (const email of emails)
      if (email !== this.known(person) && !person.former.has(email)) person.second.add(email)
  }
  merge(target: Person, source: Person): void {
    const proven = [target, source].flatMap((one) => [...one.second, this.known(one) ?? []].flat())
    const own = target.own === null ? source : target
    const isTyped = own.isTyped && !proven.includes(own.own ?? '')
    for (const address of source.former) target.former.add(address)
    target.second = new Set(proven)
    for (const address of proven) target.former.delete(address)
    const email = own.own
    if (isTyped) Object.assign(target, { own: email, isTyped })
    else this.become(target, email)
    target.isBlocked ||= source.isBlocked
    this.people = this.people.filter((one) => one !== source)
  }
}

class Subject {
  readonly model = new Model()
  readonly #inbox: MailInbox
  readonly #widget: Widget
  readonly #secret: string
  readonly #conversations: string[] = []

  constructor(inbox: MailInbox, widget: Widget, secret: string) {
    this.#inbox = inbox
    this.#widget = widget
    this.#secret = secret
  }

  async #ask(method: string, path: string, body?: unknown) {
    const response = await this.#inbox.ask(method, path, body)
    expect(response.status, `${method} ${path} ${JSON.stringify(response.body)}`).toBeLessThan(300)
    return response.body.data
  }

  #pick(number: number): Person | undefined {
    return this.model.people[number % Math.max(1, this.model.people.length)]
  }

  readonly #doors: {
    readonly [T in Action['type']]: (action: Extract<Action, { type: T }>) => Promise<void>
  } = {
    create: async ({ email }) => {
      this.model.add((await this.#ask('POST', '/api/v1/customers', { email }))._id, email)
    },
    change: async (action) => {
      const person = this.#pick(action.which)
      if (!person) return
      const body = { firstName: 'Named', email: action.email }
      await this.#ask('PUT', `/api/v1/customers/${person.id}`, body)
      this.model.change(person, action.email)
    },
    mail: async ({ email }) => {
      const isBlocked = this.model.isBlocked(email)
      const mail = await this.#inbox.receive({ from: email })
      expect(mail['status']).toBe(isBlocked ? 'ignored' : 'processed')
      if (isBlocked) return
      const { customerId } = await this.#inbox.conversationOf(mail['conversationId'])
      this.#conversations.push(mail['conversationId'] ?? '')
      const found = this.model.current(email).map(({ id }) => id)
      if (found.length === 0) this.model.add(customerId._id, email)
      else expect(found).toContain(customerId._id)
    },
    join: (action) => this.#join(action),
    type: async ({ email }) => {
      this.model.add(await this.#typed(new WidgetVisitor(service.url), email), email, true)
    },
    signIn: (action) => this.#signIn(action),
    import: (action) => this.#import(action),
    merge: async ({ which, other }) => {
      const [target, source] = [this.#pick(which), this.#pick(other)]
      if (!target || !source || target === source) return
      await this.#ask('POST', `/api/v1/customers/${target.id}/merge`, { sourceId: source.id })
      this.model.merge(target, source)
    },
    block: async ({ which }) => {
      const person = this.#pick(which)
      if (!person) return
      await this.#ask('POST', `/api/v1/customers/${person.id}/${person.isBlocked ? 'unblock' : 'block'}`)
      person.isBlocked = !person.isBlocked
    },
    delete: async ({ which }) => {
      const person = this.#pick(which)
      if (!person) return
      await this.#ask('DELETE', `/api/v1/customers/${person.id}`)
      this.model.people = this.model.people.filter((one) => one !== person)
    },
  }

  /** Somebody writes back to the signed address of a mail of the team. */
  async #join({ which, email }: { which: number; email: string }): Promise<void> {
    const id = this.#conversations[which % Math.max(1, this.#conversations.length)]
    const conversation = id && (await this.#inbox.ask('GET', `/api/v1/conversations/${id}`)).body.data
    if (!conversation || this.model.isBlocked(email)) return
    const reply = await this.#inbox.reply(id, { to: ['team@else.test'] })
    const mail = await this.#inbox.receive({ from: email, to: reply.body.data.email.replyTo })
    expect(mail['conversationId']).toBe(id)
    const own = this.model.people.find((person) => person.id === conversation.customerId?._id)
    const found = this.model.current(email).map((person) => person.id)
    const { sender } = await this.#inbox.messageOf(mail['messageId'] ?? '')
    const isTheirs = own && (this.model.has(own, email) || own.own === email)
    if (isTheirs) expect(sender._id).toBe(own.id)
    else if (found.length === 0) expect(sender._id).toBeNull()
    else expect(found).toContain(sender._id)
  }

  async #typed(visitor: WidgetVisitor, email: string): Promise<string> {
    await visitor.begin(this.#widget.key, { profile: { firstName: 'Visitor', email } })
    const { _id } = await visitor.ask('Hello')
    return (await this.#inbox.conversationOf(_id)).customerId._id
  }

  async #signIn({ email, typed }: { email: string; typed: string | null }): Promise<void> {
    const visitor = new WidgetVisitor(service.url)
    if (typed !== null) await this.#typed(visitor, typed)
    const userToken = signUser(this.#secret, { sub: randomUUID(), email })
    const begun = await visitor.begin(this.#widget.key, { userToken })
    const { _id } = begun.body.data.customer
    const found = this.model.current(email)
    if (found.length !== 1) {
      expect(this.model.people.map(({ id }) => id)).not.toContain(_id)
      this.model.add(_id, email)
      return
    }
    const [person] = found
    expect(_id).toBe(person?.id)
    if (person && this.model.known(person) === null) this.model.become(person, email)
    else if (person?.own !== email) person?.second.add(email)
  }

  async #import({ email, second, isUndone }: Extract<Action, { type: 'import' }>): Promise<void> {
    const base = '/api/extcrm/integrations'
    const path = `${base}/${(await this.#ask('POST', base, { provider: 'file' }))._id}`
    const text = `Id,Last Name,Email,Secondary Email\n1,Import,${email},${second}\n`
    const form = { module: 'Contacts', file: new File([text], 'people.csv') }
    const { token } = this.#inbox.owner
    expect((await call(service.url, { method: 'POST', path: `${path}/files`, token, form })).status).toBe(201)
    await this.#ask('POST', `${path}/import`, {})
    const run = await this.#finished(path)
    const emails = [email, second]
    const found = [...new Set(emails.flatMap((address) => this.model.current(address)))]
    expect(run.modules.Contacts).toMatchObject(found.length === 1 ? { merged: 1 } : { created: 1 })
    const list = await this.#ask('GET', `/api/v1/customers?externalId=${externalIdOf(path)}`)
    const person = found.length === 1 ? found[0] : this.model.add(list[0]._id, email)
    if (!person) return
    expect(list[0]._id).toBe(person.id)
    const before = { own: person.own, second: new Set(person.second) }
    if (person.own === null) this.model.become(person, email)
    this.model.learn(person, emails)
    if (!isUndone) return
    await this.#ask('POST', `${path}/imports/${run._id}/undo`)
    await this.#finished(path)
    for (const address of person.second) if (!before.second.has(address)) person.second.delete(address)
    if (found.length !== 1) this.model.people = this.model.people.filter((one) => one !== person)
    else this.model.change(person, before.own)
  }

  async #finished(path: string) {
    const status = async () => this.#ask('GET', `${path}/import/status`)
    await expect.poll(async () => (await status()).syncStatus).toBe('idle')
    return (await status()).run
  }

  async apply(action: Action): Promise<void> {
    // The compiler does not see that the door is that of the action.
    const door = this.#doors[action.type] as (action: Action) => Promise<void>
    await door(action)
  }

  async check(): Promise<void> {
    const { store } = this.#inbox
    const idsOf = (people: readonly { _id: string }[]) => people.map(({ _id }) => _id).toSorted()
    for (const address of addresses) {
      const { current, former } = await peopleOfAddress(store, address)
      const [now, once] = [this.model.current(address), this.model.former(address)].map((people) =>
        people.map(({ id }) => id).toSorted(),
      )
      expect([address, idsOf(current), idsOf(former)]).toEqual([address, now, once])
      expect([address, await isBlockedAddress(store, address)]).toEqual([
        address,
        this.model.isBlocked(address),
      ])
    }
  }

  async checkCustomers(): Promise<void> {
    for (const person of this.model.people) {
      const shown = await this.#ask('GET', `/api/v1/customers/${person.id}`)
      const listed = (shown.addresses as { address: string; until: string | null }[]).map(
        ({ address, until }) => `${address} ${until === null ? 'current' : 'former'}`,
      )
      const own = this.model.known(person)
      const expected = [
        ...[own ?? [], ...person.second].flat().map((address) => `${address} current`),
        ...[...person.former].map((address) => `${address} former`),
      ]
      expect([shown.profile.email, ...listed.toSorted()]).toEqual([person.own, ...expected.toSorted()])
    }
  }
}

function externalIdOf(path: string): string {
  return encodeURIComponent(`file:${path.slice(path.lastIndexOf('/') + 1)}:Contacts:1`)
}

test('every door knows the same people by an address, in any order of changes, imports, mails, merges and sign-ins', async () => {
  await runModel({
    name: 'addresses',
    action,
    runForMs: 20_000,
    walk: async (actions) => {
      const inbox = await makeMailInbox(service)
      const widget = await switchWidgetOn(service.url, inbox.owner.token)
      const path = `/api/v1/inboxes/${widget.inboxId}/widget-secret`
      const { secret } = (await inbox.ask('POST', path, {})).body.data
      const subject = new Subject(inbox, widget, secret)
      for (const one of actions) {
        await subject.apply(one)
        await subject.check()
      }
      await subject.checkCustomers()
    },
  })
})
