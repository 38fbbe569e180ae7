import type { Customer } from '../model.ts'
import { joined, without } from '../model.ts'
import { maybe, pickName, stepKind, words } from '../step-kind.ts'
import type { Body, Walker } from '../walker.ts'

const path = '/api/v1/customers'
const profileFields = ['firstName', 'lastName', 'email', 'phone', 'company'] as const
type Field = (typeof profileFields)[number] | 'jobTitle'
/** The fields that a request names: `text` with a new text, `null` with null. */
type Fields = Partial<Record<Field, 'text' | 'null'>>
export interface Change {
  fields: Fields
  tier?: string | null | undefined
  status?: string | null | undefined
  tags?: string[] | null | undefined
  custom?: boolean | undefined
}

export function newCustomer(name: string, given: Partial<Customer> = {}): Customer {
  const profile = { firstName: null, lastName: null, email: null, phone: null, company: null }
  return {
    name,
    profile: { ...profile, ...given.profile },
    jobTitle: null,
    tier: 'bronze',
    status: 'active',
    tags: [],
    customFields: {},
    externalIds: [],
    isBlocked: false,
    lastContactAt: null,
    isGone: false,
    ...(({ profile: _profile, ...others }) => others)(given),
  }
}

/** The body of a request; each text has a marker of its own, whose home is the customer. */
export function bodyOf(
  walker: Walker,
  { fields, tier, status, tags, custom }: Change,
  customer: string | null,
): Body {
  const home = { customer }
  const textOf = (field: Field) => {
    if (field === 'phone') return `+1 555 ${String(1_000_000 + walker.stepNumber)}`
    return walker.text(field === 'email' ? 'p@people.test' : `Some ${field}`, home)
  }
  const texts = Object.entries(fields).map(([field, how]) => [
    field,
    how === 'null' ? null : textOf(field as Field),
  ])
  return {
    ...Object.fromEntries(texts),
    ...(tier !== undefined && { tier }),
    ...(status !== undefined && { status }),
    ...(tags !== undefined && { tags }),
    ...(custom && { customFields: { plan: walker.text('Plan', home), deep: { n: [1, null] } } }),
  }
}

/** The customer after a request: what it does not name stays, null clears. */
export function changed(before: Customer, body: Body): Customer {
  const given = (field: Field, value: string | null) => (body[field] === undefined ? value : body[field])
  const profile = Object.fromEntries(
    profileFields.map((field) => [field, given(field, before.profile[field])]),
  ) as Customer['profile']
  return {
    ...before,
    profile,
    jobTitle: given('jobTitle', before.jobTitle),
    tier: body.tier === undefined ? before.tier : (body.tier ?? 'bronze'),
    status: body.status === undefined ? before.status : (body.status ?? 'active'),
    tags: body.tags === undefined ? before.tags : joined([], body.tags ?? []),
    customFields: body.customFields === undefined ? before.customFields : (body.customFields ?? {}),
  }
}

export const isNamed = ({ profile }: Customer) =>
  [profile.firstName, profile.lastName, profile.email, profile.phone].some((value) => value !== null)

/** The customer as a response shows it. */
export function shown(walker: Walker, data: Body) {
  return {
    name: walker.nameOf(data._id),
    profile: data.profile,
    jobTitle: data.jobTitle,
    tier: data.tier,
    status: data.status,
    tags: data.tags,
    customFields: data.customFields,
    externalIds: data.externalIds.toSorted(),
    isBlocked: data.blockedAt !== null,
    lastContactAt: data.lastContactAt,
  }
}

type Shown = ReturnType<typeof shown>

/** A message of the same commit is a contact, and sends no event of the customer. */
export const withoutContact = (customer: Shown): Shown => ({ ...customer, lastContactAt: null })

export function expectCustomer(
  walker: Walker,
  data: Body,
  name: string,
  compared: (customer: Shown) => Shown = (customer) => customer,
): void {
  const customer = walker.model.customers.get(name)
  if (customer === undefined) throw new Error(`${name} is not in the model`)
  const { isGone: _isGone, ...expected } = { ...customer, externalIds: customer.externalIds.toSorted() }
  walker.same(compared(shown(walker, data)), compared(expected), `customer ${name}`)
}

export function become(walker: Walker, after: Customer): boolean {
  const before = walker.model.customers.get(after.name)
  walker.model.customers.set(after.name, after)
  const isChanged = JSON.stringify(before) !== JSON.stringify(after)
  if (isChanged) walker.events.push(`customer.updated ${after.name}`)
  return isChanged
}

export const chooseChange = ({
  random,
}: {
  random: import('../../faults/support/random.ts').Random
}): Change => ({
  fields: Object.fromEntries(
    [...profileFields, 'jobTitle' as const]
      .filter(() => random.isOneIn(3))
      .map((field) => [field, random.isOneIn(5) ? 'null' : 'text']),
  ),
  tier: maybe(random, 4, () => random.pick(['gold', 'silver', null])),
  tags: maybe(random, 4, () => random.pick([[], ['vip', 'VIP', 'x'], ['NEW'], null])),
  custom: maybe(random, 4, () => true),
})

/** The caller of a request; a viewer may read and change nothing. */
type Writer = 'key' | 'agent' | 'owner' | 'viewer'
const writers = ['key', 'key', 'key', 'agent', 'owner', 'viewer'] as const

export const customerSteps = {
  'customers.create': stepKind<{ change: Change; as: Writer; twice?: boolean | undefined }>({
    weight: 10,
    choose: ({ random, model }) =>
      model.alive(model.customers).length > 60
        ? undefined
        : {
            change: chooseChange({ random }),
            as: random.pick(writers),
            twice: maybe(random, 4, () => true),
          },
    async run(walker, { change, as, twice }, n) {
      const name = `c${n}`
      const body = bodyOf(walker, change, name)
      const after = changed(newCustomer(name), body)
      const asked = { as, isRepeated: twice }
      if (as === 'viewer') return void (await walker.expect(403, 'POST', path, body, asked))
      if (!isNamed(after)) return void (await walker.expect(422, 'POST', path, body, asked))
      const { data } = await walker.expect(201, 'POST', path, body, asked)
      walker.name(name, data._id)
      walker.model.customers.set(name, after)
      walker.events.push(`customer.created ${name}`)
      expectCustomer(walker, data, name)
    },
  }),

  'customers.update': stepKind<{ customer: string; change: Change; as: Writer }>({
    weight: 8,
    choose(choosing) {
      const customer = pickName(choosing, choosing.model.customers)
      const { random } = choosing
      const status = maybe(random, 5, () => random.pick(['inactive', 'archived', null]))
      const change = { ...chooseChange(choosing), status }
      return customer && { customer, change, as: random.pick(writers) }
    },
    async run(walker, { customer, change, as }) {
      const at = `${path}/${walker.id(customer)}`
      const before = walker.model.customers.get(customer) as Customer
      const body = bodyOf(walker, change, before.isGone ? null : customer)
      if (as === 'viewer') return void (await walker.expect(403, 'PUT', at, body, { as }))
      if (before.isGone) return void (await walker.expect(404, 'PUT', at, body, { as }))
      const after = changed(before, body)
      if (!isNamed(after)) return void (await walker.expect(422, 'PUT', at, body, { as }))
      const { data } = await walker.expect(200, 'PUT', at, body, { as })
      become(walker, after)
      expectCustomer(walker, data, customer)
    },
  }),

  'customers.putByExternalId': stepKind<{ externalId: number; change: Change }>({
    weight: 5,
    choose: ({ random }) => ({ externalId: random.below(12), change: chooseChange({ random }) }),
    async run(walker, { externalId, change }, n) {
      const id = `shop:e${externalId}`
      const at = `${path}/by-external-id/shop/e${externalId}`
      const known = walker.model.alive(walker.model.customers).find((one) => one.externalIds.includes(id))
      const name = known?.name ?? `c${n}`
      const body = bodyOf(walker, change, name)
      const after = changed(known ?? newCustomer(name, { externalIds: [id] }), body)
      if (!isNamed(after)) return void (await walker.expect(422, 'PUT', at, body))
      const { data } = await walker.expect(200, 'PUT', at, body)
      if (known) become(walker, after)
      else {
        walker.name(name, data._id)
        walker.model.customers.set(name, after)
        walker.events.push(`customer.created ${name}`)
      }
      expectCustomer(walker, data, name)
    },
  }),

  'customers.tags': stepKind<{ customer: string; tags: string[]; isRemoved: boolean }>({
    weight: 4,
    choose(choosing) {
      const customer = pickName(choosing, choosing.model.customers)
      const { random } = choosing
      const tags = [random.pick(words), random.pick(words)]
      return customer && { customer, tags, isRemoved: random.isOneIn(3) }
    },
    async run(walker, { customer, tags, isRemoved }) {
      const at = `${path}/${walker.id(customer)}/tags`
      const before = walker.model.customers.get(customer) as Customer
      const method = isRemoved ? 'DELETE' : 'POST'
      if (before.isGone) return void (await walker.expect(404, method, at, { tags }))
      const { data } = await walker.expect(200, method, at, { tags })
      become(walker, {
        ...before,
        tags: isRemoved ? without(before.tags, tags) : joined(before.tags, tags),
      })
      expectCustomer(walker, data, customer)
    },
  }),

  'customers.block': stepKind<{ customer: string; isBlocked: boolean }>({
    weight: 3,
    choose(choosing) {
      const customer = pickName(choosing, choosing.model.customers)
      return customer && { customer, isBlocked: choosing.random.isOneIn(2) }
    },
    async run(walker, { customer, isBlocked }) {
      const at = `${path}/${walker.id(customer)}/${isBlocked ? 'block' : 'unblock'}`
      const before = walker.model.customers.get(customer) as Customer
      if (before.isGone) return void (await walker.expect(404, 'POST', at, {}))
      const { data } = await walker.expect(200, 'POST', at, {})
      become(walker, { ...before, isBlocked })
      expectCustomer(walker, data, customer)
    },
  }),

  'customers.merge': stepKind<{ target: string; source: string }>({
    weight: 3,
    choose(choosing) {
      const target = pickName(choosing, choosing.model.customers)
      const source = pickName(choosing, choosing.model.customers)
      return target && source ? { target, source } : undefined
    },
    async run(walker, { target, source }) {
      const at = `${path}/${walker.id(target)}/merge`
      const body = { sourceId: walker.id(source) }
      const [into, from] = [target, source].map((name) => walker.model.customers.get(name)) as [
        Customer,
        Customer,
      ]
      if (target === source) return void (await walker.expect(422, 'POST', at, body))
      if (into.isGone) return void (await walker.expect(404, 'POST', at, body))
      if (from.isGone) return void (await walker.expect(422, 'POST', at, body))
      const { data } = await walker.expect(200, 'POST', at, body)
      const filled = profileFields.map((field) => [field, into.profile[field] ?? from.profile[field]])
      const after: Customer = {
        ...into,
        profile: Object.fromEntries(filled) as Customer['profile'],
        jobTitle: into.jobTitle ?? from.jobTitle,
        tags: joined(into.tags, from.tags),
        customFields: { ...from.customFields, ...into.customFields },
        externalIds: [...into.externalIds, ...from.externalIds].toSorted(),
        isBlocked: into.isBlocked || from.isBlocked,
        lastContactAt:
          [into.lastContactAt, from.lastContactAt].toSorted().findLast((at) => at !== null) ?? null,
      }
      walker.model.customers.set(target, after)
      // A merge says that the target changed, also where it brought nothing.
      walker.events.push(`customer.updated ${target}`, `customer.deleted ${source}`)
      walker.model.merge(after, from)
      expectCustomer(walker, data, target)
    },
  }),

  /** A merge that is taken back at once leaves everything as it was, but for a block. */
  'customers.unmerge': stepKind<{ target: string; source: string }>({
    weight: 2,
    choose({ model, random }) {
      const alive = model.alive(model.customers)
      if (alive.length < 2) return undefined
      const [target, source] = [random.pick(alive), random.pick(alive)]
      return target === source ? undefined : { target: target.name, source: source.name }
    },
    async run(walker, { target, source }) {
      const at = `${path}/${walker.id(target)}`
      const body = { sourceId: walker.id(source) }
      const pair = [target, source].map((name) => walker.model.customers.get(name))
      if (pair.some((customer) => customer === undefined || customer.isGone)) return
      await walker.expect(200, 'POST', `${at}/merge`, body)
      await walker.world.settle()
      const merges = async () =>
        (await walker.expect(200, 'GET', `${at}/merges`)).data.map(
          (merge: { sourceId: string }) => merge.sourceId,
        )
      const open = await merges()
      walker.same(open[0], walker.id(source), `the newest merge of ${target}`)
      const { data } = await walker.expect(200, 'POST', `${at}/unmerge`, body)
      await walker.world.settle()
      walker.same(await merges(), open.slice(1), `the merges of ${target}`)
      // A block stays on both.
      const isBlocked = pair.some((customer) => customer?.isBlocked)
      for (const customer of pair) if (customer) customer.isBlocked = isBlocked
      expectCustomer(walker, data.target, target)
      expectCustomer(walker, data.source, source)
      walker.events.push(`customer.updated ${target}`, `customer.deleted ${source}`)
      walker.events.push(`customer.created ${source}`, `customer.updated ${target}`)
      for (const { name, customer, isGone } of walker.model.conversations.values())
        if (customer === source && !isGone) walker.events.push(`conversation.updated ${name}`)
    },
  }),

  'customers.delete': stepKind<{ customer: string; as: Writer }>({
    weight: 3,
    choose(choosing) {
      const customer = pickName(choosing, choosing.model.customers)
      return customer && { customer, as: choosing.random.pick(writers) }
    },
    async run(walker, { customer, as }) {
      const at = `${path}/${walker.id(customer)}`
      if (as === 'viewer') return void (await walker.expect(403, 'DELETE', at, undefined, { as }))
      const isGone = walker.model.customers.get(customer)?.isGone
      await walker.expect(isGone ? 404 : 200, 'DELETE', at, undefined, { as })
      if (isGone) return
      walker.model.eraseCustomer(customer)
      walker.events.push(`customer.deleted ${customer}`)
      await walker.expect(404, 'GET', at)
    },
  }),

  'customers.get': stepKind<{ customer: string; as: Writer }>({
    weight: 3,
    choose(choosing) {
      const customer = pickName(choosing, choosing.model.customers)
      return customer && { customer, as: choosing.random.pick(writers) }
    },
    async run(walker, { customer, as }) {
      const isGone = walker.model.customers.get(customer)?.isGone
      const body = await walker.expect(
        isGone ? 404 : 200,
        'GET',
        `${path}/${walker.id(customer)}`,
        undefined,
        { as },
      )
      if (!isGone) expectCustomer(walker, body.data, customer)
    },
  }),
}
