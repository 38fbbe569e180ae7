import type { z } from 'zod'
import { type PackageRecord, type PackageRecordInput, packageRecords } from './package-records.ts'
import { type PackageKind, packageLineBytesMax } from './package-values.ts'

export type ReadLine<K extends PackageKind> =
  | { record: PackageRecord<K>; unknownFields: readonly string[] }
  | { id: string | null; problem: string }

const encoder = new TextEncoder()

/** Returns the line of a record, with its line break. Throws for a record that its schema does not allow. */
export function packageLine<K extends PackageKind>(kind: K, record: PackageRecordInput<K>): string {
  const { data, error } = (packageRecords[kind] as z.ZodObject).safeParse(record)
  if (error) throw new Error(`${kind}: ${problemOf(error)}`)
  const line = `${JSON.stringify(data)}\n`
  if (line.length * 3 > packageLineBytesMax && encoder.encode(line).length > packageLineBytesMax)
    throw new Error(`${kind}: a record is at most 1 MB`)
  return line
}

/** Reads a line. A field that its schema does not know is left out and named; anything else that is wrong is the problem. */
export function readPackageLine<K extends PackageKind>(kind: K, line: string): ReadLine<K> {
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch {
    return { id: null, problem: 'is no JSON' }
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { id: null, problem: 'is no object' }
  const schema = packageRecords[kind] as z.ZodObject
  const unknownFields: string[] = []
  for (let tries = 0; ; tries++) {
    const { data, error } = schema.safeParse(given)
    if (data !== undefined) return { record: data as PackageRecord<K>, unknownFields }
    const unknown = error.issues.filter((issue) => issue.code === 'unrecognized_keys')
    if (tries > 0 || unknown.length === 0) return { id: idOf(given), problem: problemOf(error) }
    for (const { path, keys } of unknown) unknownFields.push(...leaveOut(given, path, keys))
  }
}

/** Removes unknown fields from a record that was just parsed, and returns their names. */
function leaveOut(record: object, path: readonly PropertyKey[], keys: readonly string[]): string[] {
  let holder: unknown = record
  for (const step of path) holder = Reflect.get(holder as object, step)
  const names = path.filter((step) => typeof step === 'string')
  return keys.map((key) => {
    Reflect.deleteProperty(holder as object, key)
    return [...names, key].join('.')
  })
}

function idOf(given: object): string | null {
  const id: unknown = Reflect.get(given, 'id')
  return typeof id === 'string' ? id.slice(0, 200) : null
}

function problemOf({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join('.')
  return `${path ? `${path}: ` : ''}${issue?.message ?? 'is wrong'}`
}
