import { foldEmail, normalizeEmail } from '@crmkit/core'
import type { ExaminedRows, Finding } from '../../ports/diagnosis.ts'
import type { TransferRow } from '../../ports/storage-transfer.ts'
import { rowsOf } from '../../shared/rows-of.ts'
import type { Check } from './check.ts'

/** The most rows of a kind that are read without `--all`. */
const sampleMax = 10_000
const namedMax = 5

interface Named {
  kind: 'customers' | 'users' | 'identities' | 'suppressedAddresses' | 'inboxes'
  /** Where a row holds its e-mail. */
  path: readonly string[]
  /** Whether the e-mail is one of the whole installation, and not of a tenant. */
  isShared?: true
  mend: string
}

const places: readonly Named[] = [
  {
    kind: 'customers',
    path: ['profile', 'email'],
    mend: 'Merge them where they are one person: crm customers merge',
  },
  { kind: 'users', path: ['email'], mend: 'Both sign in; remove the one that nobody uses: crm users delete' },
  {
    kind: 'identities',
    path: ['email'],
    isShared: true,
    mend: 'Both passwords work; an identity ends with its last user',
  },
  {
    kind: 'suppressedAddresses',
    path: ['address'],
    mend: 'An address gets mail again when both are deleted: crm suppressed-addresses delete',
  },
  { kind: 'inboxes', path: ['email', 'address'], isShared: true, mend: 'Change the address of one of them' },
]

function textAt(record: object, path: readonly string[]): string | undefined {
  let value: unknown = record
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return typeof value === 'string' ? value : undefined
}

async function eachEmail(
  rows: ExaminedRows,
  { place, rowsMax }: { place: Named; rowsMax: number },
  visit: (email: string, row: TransferRow) => void,
): Promise<void> {
  for await (const row of rowsOf(rows, place.kind, { rowsMax })) {
    const email = textAt(row.record, place.path)
    if (email !== undefined) visit(email, row)
  }
}

/** Returns the ids of rows that earlier versions distinguished, by the e-mail that they share. */
async function findShared(rows: ExaminedRows, of: { place: Named; rowsMax: number }): Promise<string[][]> {
  const keyOf = (email: string, { tenantId }: TransferRow) =>
    `${of.place.isShared ? '' : tenantId} ${normalizeEmail(email)}`
  const odd = new Map<string, { ids: string[]; spellings: Set<string> }>()
  await eachEmail(rows, of, (email, row) => {
    if (foldEmail(email) !== normalizeEmail(email))
      odd.set(keyOf(email, row), { ids: [], spellings: new Set() })
  })
  if (odd.size === 0) return []
  await eachEmail(rows, of, (email, row) => {
    const found = odd.get(keyOf(email, row))
    found?.ids.push(row.id)
    found?.spellings.add(foldEmail(email))
  })
  return [...odd.values()].filter(({ spellings }) => spellings.size > 1).map(({ ids }) => ids)
}

function findingOf({ kind, mend }: Named, shared: readonly (readonly string[])[]): Finding {
  const named = shared.slice(0, namedMax).map((ids) => ids.slice(0, namedMax).join(' and '))
  const more = shared.length > namedMax ? ` and ${shared.length - namedMax} more` : ''
  return {
    outcome: 'warning',
    sentence: `Rows of ${kind} have one e-mail in several spellings, which earlier versions distinguished: ${named.join(', ')}${more}.`,
    mend,
  }
}

/** Reads at most `rowsMax` rows of each kind that has an e-mail. */
export async function findSharedEmails(rows: ExaminedRows, rowsMax: number): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const place of places) {
    const shared = await findShared(rows, { place, rowsMax })
    if (shared.length > 0) findings.push(findingOf(place, shared))
  }
  return findings
}

/** Names the rows that nothing merges: their e-mails became one when the service learned to compare them. */
export const checkEmails: Check = {
  subject: 'e-mails',
  readsRows: true,
  async run({ database: { rows }, isThorough }) {
    if (rows === undefined) return []
    const findings = await findSharedEmails(rows, isThorough ? Number.POSITIVE_INFINITY : sampleMax)
    return findings.length > 0 ? findings : [{ outcome: 'ok', sentence: 'Each e-mail has one spelling.' }]
  },
}
