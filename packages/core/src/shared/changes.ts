/** Each changed field by its path, with its value before and after, for `changes` in events. */
export type Changes = Record<string, { from: unknown; to: unknown }>

/** Objects whose members are compared one by one; any other object is one value. */
const openObjects = new Set(['profile', 'customFields', 'autoAssign', 'widget'])

/** A last contact changes without an event. */
const unreported = new Set(['updatedAt', 'lastContactAt'])

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A custom field may have the name `toString`: an inherited member is not its value. */
function ownValue(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? (record[key] ?? null) : null
}

/**
 * Compares two states of a resource by the fields of `after`, without `updatedAt` and `lastContactAt`.
 * An empty result means that nothing changed: no write, no event.
 */
export function changesBetween(before: object, after: object): Changes {
  const old = before as Record<string, unknown>
  const changes: Changes = {}
  for (const [field, to] of Object.entries(after)) {
    const from = old[field] ?? null
    if (unreported.has(field) || isSame(from, to ?? null)) continue
    if (openObjects.has(field) && isRecord(from) && isRecord(to)) {
      Object.assign(changes, memberChanges(field, from, to))
    } else {
      changes[field] = { from, to: to ?? null }
    }
  }
  return changes
}

function memberChanges(
  field: string,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Changes {
  const changes: Changes = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [ownValue(before, key), ownValue(after, key)]
    // A custom field with the value null exists: adding or removing one is a change.
    const isAdded = Object.hasOwn(before, key) !== Object.hasOwn(after, key)
    if (isAdded || !isSame(from, to)) changes[`${field}.${key}`] = { from, to }
  }
  return changes
}
