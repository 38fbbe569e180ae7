import { blanksToNull } from '../contract/blank-values.ts'
import type { CrossFieldRule } from '../contract/define-operation.ts'
import { type Problem, validationFailure } from '../contract/failure.ts'
import { parsePart } from '../contract/problems.ts'
import { type DomainEvent, makeEvent } from '../events/event.ts'
import { type Changes, changesBetween } from '../shared/changes.ts'
import type { NewResource } from '../shared/common-fields.ts'
import { customFields } from '../shared/custom-fields.ts'
import { labelsMax, mergeLabels, withoutLabels } from '../shared/labels.ts'
import { updatedField } from '../shared/updated-field.ts'
import {
  type CreateCustomerBody,
  type Customer,
  createCustomerBody,
  type MergePreferences,
  putCustomerRow,
  type UpdateCustomerBody,
} from './customer.ts'
import { externalIdText } from './external-id.ts'

const nameable = ['firstName', 'lastName', 'email', 'phone'] as const

const unnamed = {
  field: 'firstName',
  message: 'at least one of firstName, lastName, email and phone is required',
  rule: 'at_least_one',
}

function isGiven(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== null && value !== undefined
}

export const customerNeedsAName: CrossFieldRule = {
  description: 'At least one of firstName, lastName, email and phone is required.',
  check: (body) => (nameable.some((field) => isGiven(body[field])) ? undefined : unnamed),
}

/** One path makes customers and changes their tags. */
export const customersOrIds: CrossFieldRule = {
  description:
    'Exactly one of `customers` and `ids`; with `ids`, at least one of `addTags` and `removeTags`.',
  check({ customers, ids, addTags, removeTags }) {
    const isOfIds = ids !== undefined
    if (isOfIds === (customers !== undefined))
      return { field: 'ids', message: 'exactly one of customers and ids is required', rule: 'required' }
    const hasTags = [addTags, removeTags].some((tags) => Array.isArray(tags) && tags.length > 0)
    if (isOfIds && !hasTags)
      return { field: 'addTags', message: 'addTags or removeTags is required', rule: 'required' }
    if (!isOfIds && (addTags !== undefined || removeTags !== undefined))
      return { field: 'ids', message: 'is required for a change of tags', rule: 'required' }
    return undefined
  },
}

interface NewCustomerParts extends NewResource {
  eventId: string
  externalId?: string
}

export function newCustomer(
  body: CreateCustomerBody & Pick<UpdateCustomerBody, 'status'>,
  making: NewCustomerParts,
): { customer: Customer; event: DomainEvent } {
  const customer: Customer = {
    _id: making.id,
    tenantId: making.tenantId,
    profile: {
      firstName: body.firstName ?? null,
      lastName: body.lastName ?? null,
      email: body.email ?? null,
      phone: body.phone ?? null,
      company: body.company ?? null,
    },
    jobTitle: body.jobTitle ?? null,
    tier: body.tier ?? 'bronze',
    status: body.status ?? 'active',
    tags: body.tags ?? [],
    customFields: body.customFields ?? {},
    externalIds: making.externalId === undefined ? [] : [making.externalId],
    blockedAt: null,
    lastContactAt: null,
    createdAt: making.now,
    updatedAt: making.now,
  }
  return { customer, event: customerEvent('customer.created', { customer, ...making }) }
}

/** Throws VALIDATION_ERROR when the customer has neither a name nor an e-mail nor a phone. */
export function assertCustomerNamed({ profile }: Customer): void {
  if (!nameable.some((field) => profile[field] !== null))
    throw validationFailure([{ ...unnamed, in: 'body' }])
}

/** Judges one row of several new customers: its body, or all its problems. */
export function parseCustomerRow(
  row: Readonly<Record<string, unknown>>,
): { body: CreateCustomerBody; problems: [] } | { body?: undefined; problems: Problem[] } {
  const { data, problems = [] } = parsePart(createCustomerBody, blanksToNull(createCustomerBody, row), 'body')
  const missing = customerNeedsAName.check(row)
  if (missing) problems.push({ ...missing, in: 'body' })
  return data !== undefined && problems.length === 0 ? { body: data, problems: [] } : { problems }
}

/**
 * Reads one row of several customers that are named by ids of another system: the text of the id, and the fields. Throws
 * VALIDATION_ERROR.
 */
export function parsePutRow(row: Readonly<Record<string, unknown>>): {
  externalId: string
  body: UpdateCustomerBody
} {
  const { data, problems } = parsePart(putCustomerRow, blanksToNull(putCustomerRow, row), 'body')
  if (data === undefined) throw validationFailure(problems)
  const { source, id, ...body } = data
  return { externalId: externalIdText({ source, id }, 'body'), body }
}

/** The customer after a PUT. Throws VALIDATION_ERROR when no name, e-mail or phone would remain. */
export function updatedCustomer(
  before: Customer,
  body: UpdateCustomerBody,
  now: string,
): { customer: Customer; changes: Changes } {
  const customer: Customer = {
    ...before,
    profile: {
      firstName: updatedField(body.firstName, before.profile.firstName),
      lastName: updatedField(body.lastName, before.profile.lastName),
      email: updatedField(body.email, before.profile.email),
      phone: updatedField(body.phone, before.profile.phone),
      company: updatedField(body.company, before.profile.company),
    },
    jobTitle: updatedField(body.jobTitle, before.jobTitle),
    tier: updatedField(body.tier, before.tier) ?? 'bronze',
    status: updatedField(body.status, before.status) ?? 'active',
    tags: updatedField(body.tags, before.tags) ?? [],
    customFields: updatedField(body.customFields, before.customFields) ?? {},
    updatedAt: now,
  }
  assertCustomerNamed(customer)
  return { customer, changes: changesBetween(before, customer) }
}

/**
 * The target of a merge: its own values stay unless those of the source are preferred, and missing values come from the source. Throws VALIDATION_ERROR when the
 * result has more tags or custom fields than the limit.
 */
export function mergedCustomer(
  target: Customer,
  source: Customer,
  { now, prefer = {} }: { now: string; prefer?: MergePreferences | null | undefined },
): { customer: Customer; changes: Changes } {
  const chosen = <T>(field: keyof MergePreferences, own: T, other: T): T =>
    prefer?.[field] === 'source' ? (other ?? own) : (own ?? other)
  const filled = Object.entries(target.profile).map(([name, value]) => {
    const field = name as keyof Customer['profile']
    return [field, chosen(field, value, source.profile[field])]
  })
  const customer: Customer = {
    ...target,
    profile: Object.fromEntries(filled) as Customer['profile'],
    jobTitle: chosen('jobTitle', target.jobTitle, source.jobTitle),
    tier: chosen('tier', target.tier, source.tier),
    tags: mergeLabels([...target.tags, ...source.tags]),
    externalIds: [...new Set([...target.externalIds, ...source.externalIds])],
    customFields: { ...source.customFields, ...target.customFields },
    blockedAt: firstBlockedAt(target, source),
    lastContactAt: laterOf(target.lastContactAt, source.lastContactAt),
    updatedAt: now,
  }
  const isTooMuch = customer.tags.length > labelsMax || !customFields.safeParse(customer.customFields).success
  if (isTooMuch) {
    const message = 'has, together with the target, more tags or custom fields than one customer may have'
    throw validationFailure([{ field: 'sourceId', message, rule: 'max', in: 'body' }])
  }
  return { customer, changes: changesBetween(target, customer) }
}

/** The fields of a target that a merge fills. */
export type FilledFields = Pick<Customer, 'profile' | 'jobTitle' | 'tags' | 'customFields' | 'externalIds'> &
  // Merges of an earlier version have not kept it.
  Partial<Pick<Customer, 'lastContactAt' | 'tier'>>

interface Unmerge {
  /** The target before the merge, and as the merge left it. */
  before: FilledFields
  after: FilledFields
  now: string
}

/**
 * The target of a merge that is taken back: fields that the merge changed and nobody changed since are as before. `kept`
 * names the fields that somebody has changed. A block stays, and so does a name without which nothing would name the customer.
 */
export function unmergedCustomer(
  target: Customer,
  { before, after, now }: Unmerge,
): { customer: Customer; changes: Changes; kept: string[] } {
  const profile = unfilled(target.profile, before.profile, after.profile, 'profile')
  const rest = unfilled(
    { jobTitle: target.jobTitle },
    { jobTitle: before.jobTitle },
    { jobTitle: after.jobTitle },
  )
  const tier = tierBefore(target.tier, before.tier, after.tier)
  const isNamed = nameable.some((field) => profile.values[field] !== null)
  const names = isNamed ? [] : nameable.filter((field) => target.profile[field] !== null)
  const given = Object.fromEntries(names.map((field) => [field, target.profile[field]]))
  const custom = withoutFilled(target.customFields, before.customFields, after.customFields)
  const lost = after.externalIds.filter((id) => !before.externalIds.includes(id))
  const customer: Customer = {
    ...target,
    profile: { ...profile.values, ...given },
    jobTitle: rest.values.jobTitle,
    tier: tier.value,
    tags: withoutLabels({
      before: target.tags,
      labels: withoutLabels({ before: after.tags, labels: before.tags, field: 'tags' }),
      field: 'tags',
    }),
    customFields: custom.values,
    externalIds: target.externalIds.filter((id) => !lost.includes(id)),
    // Unless the target has written since.
    lastContactAt:
      target.lastContactAt === after.lastContactAt ? (before.lastContactAt ?? null) : target.lastContactAt,
    updatedAt: now,
  }
  const kept = [
    ...profile.kept,
    ...names.map((field) => `profile.${field}`),
    ...rest.kept,
    ...tier.kept,
    ...custom.kept,
    ...lost.filter((id) => !target.externalIds.includes(id)),
  ]
  return { customer, changes: changesBetween(target, customer), kept: [...new Set(kept)] }
}

/** Merges of an earlier version have not kept it. */
function tierBefore(now: Customer['tier'], before: Customer['tier'] = now, after: Customer['tier'] = before) {
  if (before === after || now === before) return { value: now, kept: [] }
  return now === after ? { value: before, kept: [] } : { value: now, kept: ['tier'] }
}

/** Brings the fields back that the merge changed and that have still the value that it gave them. */
function unfilled<T extends Record<string, string | null>>(now: T, before: T, after: T, under?: string) {
  const filled = Object.keys(now).filter((field) => before[field] !== after[field])
  const isSame = (field: string) => now[field] === after[field]
  const emptied = Object.fromEntries(filled.filter(isSame).map((field) => [field, before[field]]))
  const kept = filled.filter((field) => !isSame(field) && now[field] !== before[field])
  return {
    values: { ...now, ...emptied } as T,
    kept: kept.map((field) => (under === undefined ? field : `${under}.${field}`)),
  }
}

type CustomFields = Customer['customFields']

function withoutFilled(now: CustomFields, before: CustomFields, after: CustomFields) {
  const filled = new Set(Object.keys(after).filter((name) => !Object.hasOwn(before, name)))
  const isSame = (name: string) => JSON.stringify(now[name]) === JSON.stringify(after[name])
  const names = Object.keys(now)
  const stays = (name: string) => !filled.has(name) || !isSame(name)
  return {
    values: Object.fromEntries(names.filter(stays).map((name) => [name, now[name]])) as CustomFields,
    kept: names.filter((name) => filled.has(name) && !isSame(name)).map((name) => `customFields.${name}`),
  }
}

function laterOf(one: string | null, other: string | null): string | null {
  return (one ?? '') > (other ?? '') ? one : other
}

/** A block outlives a merge: otherwise the merge would let in a person whom somebody has blocked. */
function firstBlockedAt(target: Customer, source: Customer): string | null {
  const [first = null] = [target.blockedAt, source.blockedAt].filter((at) => at !== null).toSorted()
  return first
}

/** The customer with the block set or lifted. A second block keeps the time of the first. */
export function blockedCustomer(
  before: Customer,
  isBlocked: boolean,
  now: string,
): { customer: Customer; changes: Changes } {
  const blockedAt = isBlocked ? (before.blockedAt ?? now) : null
  const customer: Customer = { ...before, blockedAt, updatedAt: now }
  return { customer, changes: changesBetween(before, customer) }
}

interface CustomerEventParts {
  customer: Customer
  eventId: string
  now: string
  changes?: Changes
  /** Customers who are part of this one: the event may hold what was theirs, so their erasure has to find it. */
  mergedFrom?: readonly string[] | undefined
}

export function customerEvent(
  type: 'customer.created' | 'customer.updated',
  { customer, eventId, now, changes, mergedFrom = [] }: CustomerEventParts,
): DomainEvent {
  return makeEvent({
    id: eventId,
    type,
    now,
    subjects: [customer._id, ...mergedFrom],
    data: customer,
    ...(changes && { changes }),
  })
}
