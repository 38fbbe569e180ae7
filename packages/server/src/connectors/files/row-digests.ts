import { hash } from 'node:crypto'
import type { RowPerson } from './file-record.ts'
import type { FileRow } from './file-rows.ts'

/* The ids of rows without one. */

export function digestOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 27)
}

export function digestOfRow(values: FileRow['values']): string {
  return digestOf(Object.fromEntries(values))
}

/** A person is known by e-mail address and name, else by the address. Not by its digest alone, which anybody could make. */
export function digestsOfPerson(integrationId: string, person: RowPerson | null): string[] {
  if (person === null) return []
  const { email, name } = person
  return [`en:${digestOf([integrationId, email, name])}`, `e:${digestOf([integrationId, email])}`]
}
