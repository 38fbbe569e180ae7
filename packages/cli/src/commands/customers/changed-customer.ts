import type { Customer, JsonValue, UpdateCustomer } from '@crmkit/sdk'

interface CustomerChanges extends UpdateCustomer {
  readonly customField?: Readonly<Record<string, JsonValue>> | undefined
  readonly addTags?: readonly string[] | undefined
  readonly removeTags?: readonly string[] | undefined
  readonly removeCustomFields?: readonly string[] | undefined
}

/** The body of an update: the server replaces tags and custom fields as a whole, so unnamed ones come from `current`. */
export function changedCustomer(changes: CustomerChanges, current: Customer | undefined): UpdateCustomer {
  const { addTags, removeTags, customField, removeCustomFields, ...fields } = changes
  if (!current) return fields
  const hasTags = fields.tags !== null && (addTags ?? removeTags) !== undefined
  const hasCustom = fields.customFields !== null && (customField ?? removeCustomFields) !== undefined
  const removed = removeCustomFields ?? []
  const unchanged = Object.entries(current.customFields).filter(([name]) => !removed.includes(name))
  return {
    ...fields,
    ...(hasTags && { tags: changedTags(current.tags, { addTags, removeTags }) }),
    ...(hasCustom && {
      customFields: Object.fromEntries([...unchanged, ...Object.entries(customField ?? {})]),
    }),
  }
}

/** Compares tags without case, as the server does. */
function changedTags(
  tags: readonly string[],
  { addTags = [], removeTags = [] }: Pick<CustomerChanges, 'addTags' | 'removeTags'>,
): string[] {
  const removed = new Set(removeTags.map((tag) => tag.toLowerCase()))
  return [...tags, ...addTags].filter((tag) => !removed.has(tag.toLowerCase()))
}
