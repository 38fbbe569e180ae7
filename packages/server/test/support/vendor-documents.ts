/**
 * The names of a vendor's public document that an emulator and a connector use: facts, with their source and version. The document itself is
 * not here.
 */
export interface VendorDocument {
  readonly source: string
  readonly version: string
  readonly fetchedAt: string
  /** The names in the query of each method and path. */
  readonly paths: Readonly<Record<string, readonly string[]>>
  /** `''` is a plain value, `*` an object of any names, `*Name` one whose values have this schema, and `A|B` either of two. */
  readonly schemas: Readonly<Record<string, DocumentedSchema>>
}

interface DocumentedSchema {
  readonly required: readonly string[]
  readonly fields: Readonly<Record<string, string>>
}

/** Returns the fields of a reply that its document does not have, and those that it requires and the reply lacks. */
export function strayFields(document: VendorDocument, schema: string, value: unknown, at = schema): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => strayFields(document, schema, one, at))
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  if (schema === '*' || schema === '') return []
  if (schema.startsWith('*'))
    return entries.flatMap(([name, one]) => strayFields(document, schema.slice(1), one, `${at}.${name}`))
  const found = schema.split('|').map((name) => strayOf(document, name, entries, at))
  return found.sort((a, b) => a.length - b.length)[0] ?? []
}

function strayOf(
  document: VendorDocument,
  name: string,
  entries: readonly [string, unknown][],
  at: string,
): string[] {
  const schema = document.schemas[name]
  if (schema === undefined) return [`${at}: no schema ${name}`]
  const given = new Set(entries.map(([field]) => field))
  return [
    ...schema.required.filter((field) => !given.has(field)).map((field) => `${at}.${field} is missing`),
    ...entries.flatMap(([field, value]) => {
      const inner = schema.fields[field]
      if (inner === undefined) return [`${at}.${field} is in no document`]
      return strayFields(document, inner, value, `${at}.${field}`)
    }),
  ]
}

/** Returns what of a request its document does not have: the path, or a name in the query. */
export function strayRequest(
  document: VendorDocument,
  { method, path, query }: { method: string; path: string; query: Readonly<Record<string, string>> },
): string[] {
  const asked = path.split('/')
  const known = Object.keys(document.paths).find((one) => {
    const [of = '', template = ''] = one.split(' ')
    const parts = template.split('/')
    const isPart = (part: string, index: number) => part.startsWith('{') || part === asked[index]
    return of === method && parts.length === asked.length && parts.every(isPart)
  })
  if (known === undefined) return [`${method} ${path} is in no document`]
  const names = document.paths[known] ?? []
  return Object.keys(query)
    .filter((name) => !names.includes(name))
    .map((name) => `${known}: ${name} is in no document`)
}
