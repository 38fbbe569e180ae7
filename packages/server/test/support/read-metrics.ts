export interface Sample {
  /** With the suffix of a histogram's series: `_bucket`, `_sum` or `_count`. */
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

export interface Scrape {
  text: string
  /** The type of each metric, by its name. */
  types: Readonly<Record<string, string>>
  samples: readonly Sample[]
  /** Returns the sum of the samples with this name whose labels include these. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number
}

const sampleLine = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/
const labelPattern = /([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g

/** Reads the text of a scrape. Throws for a line that is no sample, and for a sample without a type before it. */
function parseMetrics(text: string): Scrape {
  const types: Record<string, string> = {}
  const samples: Sample[] = []
  for (const line of text.trimEnd().split('\n')) {
    const [, keyword, metric, rest] = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line) ?? []
    if (keyword === 'TYPE' && metric !== undefined) types[metric] = rest ?? ''
    if (keyword !== undefined) continue
    const [, name, labels = '', value] = sampleLine.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`No sample: ${line}`)
    if (types[name] === undefined && types[name.replace(/_(bucket|sum|count)$/, '')] !== 'histogram')
      throw new Error(`No type: ${line}`)
    const pairs = [...labels.matchAll(labelPattern)].map(
      ([, label = '', text = '']) => [label, text] as const,
    )
    samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) })
  }
  return {
    text,
    types,
    samples,
    sum: (name, labels = {}) =>
      samples
        .filter((sample) => sample.name === name)
        .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0),
  }
}

/** Scrapes a service as Prometheus does. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`No metrics: ${response.status}`)
  return parseMetrics(await response.text())
}
