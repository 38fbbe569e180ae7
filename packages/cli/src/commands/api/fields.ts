import { InvalidArgumentError } from '@commander-js/extra-typings'

export type Fields = Readonly<Record<string, unknown>>

/** `name=Ada`: always a text. */
export function addField(text: string, previous: Fields | undefined): Fields {
  const [name, value] = pairOf(text)
  return { ...previous, [name]: value }
}

/** `limit=5`: JSON. */
export function addTypedField(text: string, previous: Fields | undefined): Fields {
  const [name, value] = pairOf(text)
  try {
    return { ...previous, [name]: JSON.parse(value) }
  } catch {
    throw new InvalidArgumentError('What follows = is not JSON; for a text use -f.')
  }
}

function pairOf(text: string): [name: string, value: string] {
  const end = text.indexOf('=')
  if (end < 1) throw new InvalidArgumentError('It is not key=value.')
  return [text.slice(0, end), text.slice(end + 1)]
}

/** `{'profile.email': x}` as `{profile: {email: x}}`. */
export function nestedFields(fields: Fields): Record<string, unknown> {
  const nested: Record<string, unknown> = Object.create(null)
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let place = nested
    for (const name of names) {
      const inner = place[name]
      const next: Record<string, unknown> = isRecord(inner) ? inner : Object.create(null)
      place[name] = next
      place = next
    }
    place[last] = value
  }
  return nested
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
