import type { Customer, UpdateCustomer } from '@crmkit/sdk'
import { more } from '../strings/more.ts'

export const profileFields = ['firstName', 'lastName', 'email', 'phone', 'company', 'jobTitle'] as const
type ProfileField = (typeof profileFields)[number]
type Tier = NonNullable<UpdateCustomer['tier']>
export const tiers = ['bronze', 'silver', 'gold', 'platinum'] as const satisfies readonly Tier[]

/** A further field as it is written in the form. */
export interface CustomField {
  readonly name: string
  readonly value: string
}

/** The texts of the form. */
export interface CustomerForm extends Readonly<Record<ProfileField, string>> {
  readonly tier: string
  readonly tags: string
  readonly custom: readonly CustomField[]
}

/** A form with a fault that no field of the service would name. */
class FormError extends Error {}

export function profileValue({ profile, jobTitle }: Customer, field: ProfileField): string {
  return (field === 'jobTitle' ? jobTitle : profile[field]) ?? ''
}

export function formOf(customer: Customer): CustomerForm {
  const profile = Object.fromEntries(profileFields.map((field) => [field, profileValue(customer, field)]))
  return {
    ...(profile as Record<ProfileField, string>),
    tier: customer.tier,
    tags: customer.tags.join(', '),
    custom: Object.entries(customer.customFields).map(([name, value]) => ({ name, value: textOf(value) })),
  }
}

/** A text that looks like JSON is written as JSON too, so that it is the same text when it is read again. */
function textOf(value: unknown): string {
  return typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the fields that the form has changed, so that those of a colleague who edits at the same time are kept.
 * @throws {FormError} Two fields of one name, or a value that begins as JSON and is none.
 */
export function changesOf(customer: Customer, form: CustomerForm): UpdateCustomer {
  const before = formOf(customer)
  const changed = profileFields.filter((field) => form[field].trim() !== before[field])
  return {
    ...Object.fromEntries(changed.map((field) => [field, form[field].trim() || null])),
    ...(form.tier !== before.tier && { tier: tiers.find((tier) => tier === form.tier) }),
    ...(form.tags !== before.tags && { tags: tagsOf(form.tags) }),
    ...(JSON.stringify(form.custom) !== JSON.stringify(before.custom) && {
      customFields: customFieldsOf(form.custom),
    }),
  }
}

function tagsOf(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

function customFieldsOf(fields: readonly CustomField[]): NonNullable<UpdateCustomer['customFields']> {
  const named = fields.map(({ name, value }) => [name.trim(), value] as const).filter(([name]) => name !== '')
  const twice = named.find(([name], index) => named.findIndex(([other]) => other === name) !== index)
  if (twice) throw new FormError(more.edit.twice(twice[0]))
  return Object.fromEntries(named.map(([name, value]) => [name, parsed(name, value)]))
}

function parsed(name: string, value: string) {
  if (isJson(value)) return JSON.parse(value)
  if (/^\s*[[{"]/.test(value)) throw new FormError(more.edit.notJson(name))
  return value
}
