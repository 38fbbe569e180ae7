import type { Customer, UpdateCustomer } from '@crmkit/sdk'
import { clearedFields } from '../clear-option.ts'
import type { CustomerFields, customerStatuses } from './customer-fields.ts'

interface CustomerChanges extends CustomerFields {
  readonly status?: (typeof customerStatuses)[number] | undefined
  readonly addTags?: readonly string[] | undefined
  readonly removeTags?: readonly string[] | undefined
  readonly removeCustomFields?: readonly string[] | undefined
  readonly clear?: readonly string[] | undefined
}

/** The body of an update: the server replaces tags and custom fields as a whole, so unnamed ones come from `current`. */
export function changedCustomer(changes: CustomerChanges, current: Customer | undefined): UpdateCustomer {
  const { addTags, removeTags, customField, removeCustomFields, clear, ...fields } = changes
  if (!current) return { ...fields, ...clearedFields(clear) }
  const hasTags = addTags !== undefined || removeTags !== undefined
  const tags = hasTags ? changedTags(current.tags, { addTags, removeTags }) : fields.tags
  const removed = removeCustomFields ?? []
  const unchanged = Object.entries(current.customFields).filter(([name]) => !removed.includes(name))
  const customFields =
    customField === undefined && removeCustomFields === undefined
      ? undefined
      : Object.fromEntries([...unchanged, ...Object.entries(customField ?? {})])
  return { ...fields, tags, customFields, ...clearedFields(clear) }
}

/** Compares tags without case, as the server does. */
function changedTags(
  tags: readonly string[],
  { addTags = [], removeTags = [] }: Pick<CustomerChanges, 'addTags' | 'removeTags'>,
): string[] {
  const removed = new Set(removeTags.map((tag) => tag.toLowerCase()))
  return [...tags, ...addTags].filter((tag) => !removed.has(tag.toLowerCase()))
}
