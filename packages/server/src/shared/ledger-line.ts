import type { ErasureLine } from '../ports/erasure-ledger.ts'

const kinds: readonly string[] = ['customers', 'users', 'conversations', 'tenants']

/** Returns the erasure of a line of a ledger; undefined for a damaged one. Lines of a later version may have more fields. */
export function readLedgerLine(text: string): ErasureLine | undefined {
  try {
    const line = JSON.parse(text) as Partial<ErasureLine> | null
    const { at, tenantId, kind, id, addresses } = line ?? {}
    const areTexts = [at, tenantId, kind, id].every((value) => typeof value === 'string')
    const isLine = areTexts && kinds.includes(kind ?? '') && Array.isArray(addresses)
    return isLine ? (line as ErasureLine) : undefined
  } catch {
    return undefined
  }
}
