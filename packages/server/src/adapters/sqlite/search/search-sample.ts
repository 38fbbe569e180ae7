import { matchesText } from '../../../storage/search-text.ts'
import type { Sql } from '../connection/sql.ts'
import { indexedText, quote, type SearchSample, trigramsOf } from './search-query.ts'

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
    tokensUsedMax: 4,
    commonFraction: 0.5,
    fractionOf: (token) => (counts.get(token) ?? unseen) / Math.max(1, texts.length),
    surelyExceeds(bound, terms) {
      if (rowCount <= bound) return false
      const hits = texts.filter((text) => matchesText(text, terms)).length
      return isSurelyMore(hits, { size: texts.length, part: bound / rowCount })
    },
  }
}

/** No search counts further than this: reading so many row numbers takes about a millisecond. */
const countedMax = 20_000
const countedTokensMax = 10_000

/**
 * Returns the statistics of texts that are too long to be sampled: each token is counted in the index when a search
 * asks for it. Most tokens are in most long texts, so a search uses more of them, the rarest first.
 */
export function createCounter(sql: Sql, indexTable: string) {
  let counts = new Map<string, number>()
  let endsAt = 0

  function count(tenantId: string, token: string): number {
    const text = `SELECT count(*) AS total FROM (SELECT 1 FROM ${indexTable} AS f
      WHERE ${indexTable} MATCH ? AND f.rowid BETWEEN @first AND @last LIMIT ${countedMax})`
    return sql.tenant(tenantId).get<{ total: number }>(text, quote(token))?.total ?? 0
  }

  function countOf(tenantId: string, token: string): number {
    if (Date.now() > endsAt || counts.size >= countedTokensMax) {
      counts = new Map()
      endsAt = Date.now() + keptForMs
    }
    const key = `${tenantId} ${token}`
    const known = counts.get(key) ?? count(tenantId, token)
    counts.set(key, known)
    return known
  }

  return (tenantId: string): SearchSample => ({
    rowCount: countedMax,
    tokensUsedMax: 12,
    commonFraction: Number.POSITIVE_INFINITY,
    // A token that is not in the index yet may be there in a moment.
    fractionOf: (token) => Math.max(1, countOf(tenantId, token)) / countedMax,
    surelyExceeds: () => false,
  })
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
