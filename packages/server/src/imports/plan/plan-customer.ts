import type { PersonName } from '../../connectors/person-names.ts'
import { isGiven } from '../../shared/given-link.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { CustomerIndex } from '../rules/match-customers.ts'
import type { RecordDraft } from '../rules/record-drafts.ts'
import { newCustomerRow } from '../rules/rows.ts'
import { linkIdOf } from './import-context.ts'
import type { Outcome, PagePlan } from './page-plan.ts'
import { emailsOf, furtherPhonesOf, type PlannedRecord, phoneOf } from './planned-record.ts'
import { newIdOf, putLink, updateRow } from './row-writes.ts'

/** Plans a contact or a lead: it updates its customer, joins one, or makes one. */
export function planCustomer(plan: PagePlan, index: CustomerIndex, planned: PlannedRecord): Outcome {
  const { set } = plan
  if (planned.link) return updateLinked(plan, index, planned)
  const merged = mergedCustomer(plan, planned)
  if (merged) return join(plan, index, { planned, customer: merged })
  const { draft } = planned
  const phone = phoneOf(draft, plan.context.defaultCountry)
  const match = index.match({ emails: emailsOf(draft), phone, name: nameOf(draft) })
  const found = match.type === 'one' ? set.find('customers', match.customerId) : undefined
  if (found) {
    if (match.type === 'one' && match.hasOtherName) reportOtherName(plan, planned, found._id)
    return join(plan, index, { planned, customer: found })
  }
  const customer = create(plan, planned)
  index.add(customer)
  nameAddresses(plan, index, { customer, draft, link: undefined })
  if (match.type === 'unsure') reportCandidates(plan, planned, { customer, candidates: match.customerIds })
  return 'created'
}

function nameOf({ values }: RecordDraft): PersonName {
  const textOf = (path: string) => (typeof values[path] === 'string' ? values[path] : null)
  return { firstName: textOf('profile.firstName'), lastName: textOf('profile.lastName') }
}

function reportOtherName(plan: PagePlan, { record }: PlannedRecord, customerId: string): void {
  const { module, id, row } = record
  const message = 'joined the customer with its e-mail address, who has another name: that name stays'
  plan.issue({ module, id, row, customerId }, { severity: 'warning', code: 'NAME_DIFFERS', message })
}

const candidatesMax = 5

/** It may be one of several customers, or none of them: a person decides, and merges them. */
function reportCandidates(
  plan: PagePlan,
  { record }: PlannedRecord,
  { customer, candidates }: { customer: CustomerRecord; candidates: readonly string[] },
): void {
  const { module, id, row } = record
  const message = 'may be a customer with this e-mail address or phone number: a separate one was made'
  const details = { candidates: candidates.toSorted().slice(0, candidatesMax) }
  plan.issue(
    { module, id, row, customerId: customer._id },
    { severity: 'warning', code: 'AMBIGUOUS_MATCH', message, details },
  )
}

/** Returns the customer of a record that was merged into this one at the source. */
function mergedCustomer({ context, set }: PagePlan, { record }: PlannedRecord): CustomerRecord | undefined {
  for (const id of record.mergedIds ?? []) {
    const link = set.find('importLinks', linkIdOf(context, { module: record.module, id }))
    const customer = link?.entityKind === 'customers' ? set.find('customers', link.entityId) : undefined
    if (customer) return customer
  }
  return undefined
}

function create(plan: PagePlan, planned: PlannedRecord): CustomerRecord {
  const { context, now, set } = plan
  const { record, draft, externalId, externalIds } = planned
  const { provider, store } = context
  const id = newIdOf(plan, planned)
  const made = { id, tenantId: store.tenantId, now, externalId, provider, record, draft }
  const customer = newCustomerRow({ ...made, externalIds })
  set.put('customers', customer)
  putLink(plan, planned, {
    entityKind: 'customers',
    entityId: id,
    customerId: id,
    conversationId: null,
    isMade: true,
  })
  return customer
}

/**
 * Notes the e-mails and the phone numbers of a record: those that do not become `profile.email` and `profile.phone` are further ones
 * of the customer.
 */
function nameAddresses(
  plan: PagePlan,
  index: CustomerIndex,
  { customer, draft, link }: Pick<PlannedRecord, 'draft' | 'link'> & { customer: CustomerRecord },
): void {
  const { _id: customerId } = customer
  const addresses = [...emailsOf(draft), ...namedPhones(plan, { customer, draft, link })]
  plan.set.nameAddresses(customerId, addresses)
  for (const address of addresses) index.addOwner({ address, customerId, isFormer: false })
}

/** Returns the numbers that a record has beside the customer's `profile.phone`. */
function namedPhones(
  { context: { defaultCountry } }: PagePlan,
  { customer, draft, link }: Pick<PlannedRecord, 'draft' | 'link'> & { customer: CustomerRecord },
): string[] {
  const field = 'profile.phone'
  const phone = phoneOf(draft, defaultCountry)
  const further = furtherPhonesOf(draft, defaultCountry).filter((other) => other !== phone)
  const isOwn = customer.profile.phone === draft.values[field]
  // The source has not changed it, so somebody here has: the number that they corrected is none of the customer's.
  const isCorrected = link !== undefined && link.importedValues[field] === draft.values[field]
  return phone === null || isOwn || isCorrected ? further : [phone, ...further]
}

interface Joining {
  planned: PlannedRecord
  customer: CustomerRecord
}

/** Joins an existing customer: blank fields are filled, nothing else changes. */
function join(plan: PagePlan, index: CustomerIndex, { planned, customer }: Joining): Outcome {
  const { _id: id } = customer
  const externalIds = [...new Set([...customer.externalIds, ...planned.externalIds])]
  updateRow(
    plan,
    { draft: planned.draft, link: undefined },
    {
      kind: 'customers',
      row: customer,
      owners: { customerId: id, conversationId: null },
      beside: { externalIds },
    },
  )
  const after = plan.set.find('customers', id) ?? customer
  index.add(after)
  nameAddresses(plan, index, { customer: after, draft: planned.draft, link: undefined })
  putLink(plan, planned, {
    entityKind: 'customers',
    entityId: id,
    customerId: id,
    conversationId: null,
    isMade: false,
  })
  return 'merged'
}

function updateLinked(plan: PagePlan, index: CustomerIndex, planned: PlannedRecord): Outcome {
  const { link, record } = planned
  const customer = link && plan.set.find('customers', link.entityId)
  if (!link || !customer) {
    const { module, id, row } = record
    plan.issue(
      { module, id, row },
      { severity: 'skipped', code: 'DELETED_HERE', message: 'was deleted here' },
    )
    return 'skipped'
  }
  if (isGiven(link)) return join(plan, index, { planned, customer })
  // It is back at the source: a customer who was archived for that alone is active again.
  const isBack =
    link.deletedAt !== null && customer.status === 'archived' && link.importedValues['status'] === 'archived'
  const isChanged = updateRow(plan, planned, {
    kind: 'customers',
    row: customer,
    owners: { customerId: customer._id, conversationId: null },
    ...(isBack && { beside: { status: 'active' as const } }),
  })
  const after = plan.set.find('customers', customer._id) ?? customer
  index.add(after)
  nameAddresses(plan, index, { customer: after, draft: planned.draft, link })
  putLink(plan, planned, {
    entityKind: 'customers',
    entityId: customer._id,
    customerId: customer._id,
    conversationId: null,
    isMade: false,
  })
  return isChanged ? 'updated' : 'unchanged'
}
