import { matchesText, type SearchTerm } from '../../ports/search-text.ts'
import { indexedText, trigramsOf } from './search-query.ts'
import type { Sql } from './sql.ts'

/** What a few of a tenant's texts tell about all of them. Decides how a search is done, never what it finds. */
export interface SearchSample {
  rowCount: number
  /** The part of the rows that has a token of the index. */
  fractionOf(token: string): number
  /** How many rows have all terms, roughly. */
  expectedMatches(terms: readonly SearchTerm[]): number
}

const sampleSize = 200
const keptForMs = 5 * 60_000
const samplesMax = 16

function readTexts(sql: Sql, tenantId: string): { texts: string[]; rowCount: number } {
  const range = sql.rangeOf(tenantId)
  if (!range) return { texts: [], rowCount: 0 }
  const scoped = sql.tenant(tenantId)
  const last = scoped.get<{ n: number }>(
    `SELECT n FROM customers NOT INDEXED WHERE tenant_id = @tenant AND n BETWEEN ? AND ? ORDER BY n DESC LIMIT 1`,
    ...[range.first, range.last],
  )
  if (!last) return { texts: [], rowCount: 0 }
  const rowCount = Number(BigInt(last.n) - range.first) + 1
  const step = Math.max(1, rowCount / sampleSize)
  const texts: string[] = []
  for (let offset = 0; offset < rowCount; offset += step) {
    const row = scoped.get<{ search_text: string }>(
      `SELECT search_text FROM customers NOT INDEXED WHERE tenant_id = @tenant AND n BETWEEN ? AND ? ORDER BY n LIMIT 1`,
      ...[range.first + BigInt(Math.floor(offset)), range.last],
    )
    if (row) texts.push(row.search_text)
  }
  return { texts, rowCount }
}

function takeSample(sql: Sql, tenantId: string): SearchSample {
  const { texts, rowCount } = readTexts(sql, tenantId)
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const token of trigramsOf(indexedText(text))) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  // What was never seen is rare, but not absent.
  const unseen = 0.5
  return {
    rowCount,
    fractionOf: (token) => (counts.get(token) ?? unseen) / Math.max(1, texts.length),
    expectedMatches: (terms) =>
      (texts.filter((text) => matchesText(text, terms)).length / Math.max(1, texts.length)) * rowCount,
  }
}

/** Of texts that are too long to be sampled: any clue may be the rare one. */
export const noSample: SearchSample = {
  rowCount: Number.POSITIVE_INFINITY,
  fractionOf: () => 0.1,
  expectedMatches: () => 0,
}

/** Samples of the tenants that searched last. */
export function createSampler(sql: Sql) {
  const samples = new Map<string, { sample: SearchSample; endsAt: number }>()
  return (tenantId: string): SearchSample => {
    const known = samples.get(tenantId)
    if (known && known.endsAt > Date.now()) return known.sample
    const sample = takeSample(sql, tenantId)
    samples.delete(tenantId)
    if (samples.size >= samplesMax) samples.delete(samples.keys().next().value ?? '')
    samples.set(tenantId, { sample, endsAt: Date.now() + keptForMs })
    return sample
  }
}
