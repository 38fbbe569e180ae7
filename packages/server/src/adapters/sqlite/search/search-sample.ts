import { matchesText } from '../../../storage/search-text.ts'
import type { Sql } from '../connection/sql.ts'
import { indexedText, type SearchSample, trigramsOf } from './search-query.ts'

const sampleSize = 1_000
const keptForMs = 5 * 60_000
const samplesMax = 16
/**
 * The number of standard deviations by which a sample exceeds the expected hits of `bound` rows when it is no
 * coincidence.
 */
const deviations = 8

function readTexts(sql: Sql, tenantId: string): { texts: string[]; rowCount: number } {
  const scoped = sql.tenant(tenantId)
  const rowCount =
    scoped.get<{ total: number }>('SELECT count(*) AS total FROM customers WHERE tenant_id = @tenant')
      ?.total ?? 0
  const range = sql.rangeOf(tenantId)
  const last = scoped.get<{ n: number }>(
    'SELECT n FROM customers NOT INDEXED WHERE tenant_id = @tenant AND n BETWEEN @first AND @last ORDER BY n DESC LIMIT 1',
  )
  if (!range || !last) return { texts: [], rowCount }
  const step = (Number(BigInt(last.n) - range.first) + 1) / Math.min(sampleSize, rowCount)
  const texts: string[] = []
  for (let start = 0; texts.length < Math.min(sampleSize, rowCount); start += step) {
    // A random row of each section: rows may repeat in a pattern.
    const offset = BigInt(Math.floor(start + Math.random() * step))
    const row = scoped.get<{ search_text: string }>(
      `SELECT search_text FROM customers NOT INDEXED WHERE tenant_id = @tenant AND n BETWEEN ? AND ? ORDER BY n LIMIT 1`,
      range.first + offset,
      range.last,
    )
    if (!row) break
    texts.push(row.search_text)
  }
  return { texts, rowCount }
}

function isSurelyMore(hits: number, { size, part }: { size: number; part: number }): boolean {
  return hits > size * part + deviations * Math.sqrt(size * part * (1 - part))
}

function takeSample(sql: Sql, tenantId: string): SearchSample {
  const { texts, rowCount } = readTexts(sql, tenantId)
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const token of trigramsOf(indexedText(text))) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  // A token that is not in the sample is rare, but not absent.
  const unseen = 0.5
  return {
    rowCount,
    fractionOf: (token) => (counts.get(token) ?? unseen) / Math.max(1, texts.length),
    surelyExceeds(bound, terms) {
      if (rowCount <= bound) return false
      const hits = texts.filter((text) => matchesText(text, terms)).length
      return isSurelyMore(hits, { size: texts.length, part: bound / rowCount })
    },
  }
}

/** The statistics for texts that are too long to be sampled: any clue may be the rare one. */
export const noSample: SearchSample = {
  rowCount: Number.POSITIVE_INFINITY,
  fractionOf: () => 0.1,
  surelyExceeds: () => false,
}

/** Caches the samples of the tenants that searched last. */
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
