import { InvalidArgumentError } from '@commander-js/extra-typings'

export type Fields = Readonly<Record<string, unknown>>

/** Adds `name=Ada`; the value is always a text. */
export function addField(text: string, previous: Fields | undefined): Fields {
  const [name, value] = pairOf(text)
  return { ...previous, [name]: value }
}

/** Adds `limit=5`; the value is JSON. */
export function addTypedField(text: string, previous: Fields | undefined): Fields {
  const [name, value] = pairOf(text)
  try {
    return { ...previous, [name]: JSON.parse(value) }
  } catch {
    throw new InvalidArgumentError('The value after = is not JSON; for a text use -f.')
  }
}

function pairOf(text: string): [name: string, value: string] {
  const end = text.indexOf('=')
  if (end < 1) throw new InvalidArgumentError('Expected key=value.')
  return [text.slice(0, end), text.slice(end + 1)]
}

/** Turns `{'profile.email': x}` into `{profile: {email: x}}`. */
export function nestedFields(fields: Fields): Record<string, unknown> {
  const nested: Record<string, unknown> = Object.create(null)
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let parent = nested
    for (const name of names) {
      const inner = parent[name]
      const next: Record<string, unknown> = isRecord(inner) ? inner : Object.create(null)
      parent[name] = next
      parent = next
    }
    parent[last] = value
  }
  return nested
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
