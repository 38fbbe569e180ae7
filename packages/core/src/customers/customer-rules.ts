import type { CrossFieldRule } from '../contract/define-operation.ts'
import { validationFailure } from '../contract/failure.ts'
import { type DomainEvent, makeEvent } from '../events/event.ts'
import { type Changes, changesBetween } from '../shared/changes.ts'
import { customFields } from '../shared/custom-fields.ts'
import { kept } from '../shared/kept.ts'
import { labelsMax, mergeLabels } from '../shared/labels.ts'
import type { CreateCustomerBody, Customer, UpdateCustomerBody } from './customer.ts'

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

interface Making {
  id: string
  tenantId: string
  now: string
  eventId: string
}

export function newCustomer(
  body: CreateCustomerBody,
  making: Making,
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
    status: 'active',
    tags: body.tags ?? [],
    customFields: body.customFields ?? {},
    createdAt: making.now,
    updatedAt: making.now,
  }
  return { customer, event: customerEvent('customer.created', { customer, ...making }) }
}

/** The customer after a PUT. Throws VALIDATION_ERROR when nothing would be left to call it by. */
export function updatedCustomer(
  before: Customer,
  body: UpdateCustomerBody,
  now: string,
): { customer: Customer; changes: Changes } {
  const customer: Customer = {
    ...before,
    profile: {
      firstName: kept(body.firstName, before.profile.firstName),
      lastName: kept(body.lastName, before.profile.lastName),
      email: kept(body.email, before.profile.email),
      phone: kept(body.phone, before.profile.phone),
      company: kept(body.company, before.profile.company),
    },
    jobTitle: kept(body.jobTitle, before.jobTitle),
    tier: kept(body.tier, before.tier) ?? 'bronze',
    status: kept(body.status, before.status) ?? 'active',
    tags: kept(body.tags, before.tags) ?? [],
    customFields: kept(body.customFields, before.customFields) ?? {},
    updatedAt: now,
  }
  if (!nameable.some((field) => customer.profile[field] !== null)) {
    throw validationFailure([{ ...unnamed, in: 'body' }])
  }
  return { customer, changes: changesBetween(before, customer) }
}

/**
 * The target after another customer was merged into it: what it has stays, what it lacks comes from the source.
 * Throws VALIDATION_ERROR when both together have more tags or custom fields than one may have.
 */
export function mergedCustomer(
  target: Customer,
  source: Customer,
  now: string,
): { customer: Customer; changes: Changes } {
  const filled = Object.entries(target.profile).map(([field, value]) => [
    field,
    value ?? source.profile[field as keyof Customer['profile']],
  ])
  const customer: Customer = {
    ...target,
    profile: Object.fromEntries(filled) as Customer['profile'],
    jobTitle: target.jobTitle ?? source.jobTitle,
    tags: mergeLabels([...target.tags, ...source.tags]),
    customFields: { ...source.customFields, ...target.customFields },
    updatedAt: now,
  }
  const isTooMuch = customer.tags.length > labelsMax || !customFields.safeParse(customer.customFields).success
  if (isTooMuch) {
    const message = 'has, together with the target, more tags or custom fields than one customer may have'
    throw validationFailure([{ field: 'sourceId', message, rule: 'max', in: 'body' }])
  }
  return { customer, changes: changesBetween(target, customer) }
}

interface CustomerEventParts {
  customer: Customer
  eventId: string
  now: string
  changes?: Changes
}

export function customerEvent(
  type: 'customer.created' | 'customer.updated',
  { customer, eventId, now, changes }: CustomerEventParts,
): DomainEvent {
  return makeEvent({
    id: eventId,
    type,
    now,
    subjects: [customer._id],
    data: customer,
    ...(changes && { changes }),
  })
}
