/** The name of a metric, its one-sentence explanation, and the names of its labels. */
export interface MetricDeclaration {
  name: string
  help: string
  labels?: readonly string[]
}

/** One metric in the text format that Prometheus reads. */
export interface Metric {
  readonly name: string
  /** Returns its lines. A metric without a value at present has none. */
  render(): readonly string[]
}

type MetricType = 'counter' | 'gauge' | 'histogram'

function header({ name, help }: MetricDeclaration, type: MetricType): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function labelText(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return ''
  return `{${names.map((name, index) => `${name}="${escaped(values[index] ?? '')}"`).join(',')}}`
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}

/** The values of a metric, by their labels. */
class Series<Value> {
  readonly #values = new Map<string, { labels: readonly string[]; value: Value }>()
  readonly #make: () => Value

  constructor(make: () => Value) {
    this.#make = make
  }

  /** The key of one label is its value: nothing is made on the path of a request. */
  of(labels: readonly string[]): Value {
    const key = labels.length === 1 ? (labels[0] ?? '') : labels.join('\u0000')
    let known = this.#values.get(key)
    if (known === undefined) {
      known = { labels: [...labels], value: this.#make() }
      this.#values.set(key, known)
    }
    return known.value
  }

  entries() {
    return [...this.#values.values()]
  }
}

/** A number that only rises. Its first value is 0, so that the first rise is visible as one. */
export class Counter implements Metric {
  readonly #declaration: MetricDeclaration
  readonly #series = new Series(() => ({ count: 0 }))

  constructor(declaration: MetricDeclaration, known: readonly (readonly string[])[] = []) {
    this.#declaration = declaration
    if (declaration.labels === undefined) this.#series.of([])
    for (const labels of known) this.#series.of(labels)
  }

  get name(): string {
    return this.#declaration.name
  }

  add(...labels: readonly string[]): void {
    this.#series.of(labels).count += 1
  }

  /** Returns the number of these labels, for a caller that counts often. */
  of(...labels: readonly string[]): { count: number } {
    return this.#series.of(labels)
  }

  render(): readonly string[] {
    const { name, labels: names = [] } = this.#declaration
    const lines = this.#series
      .entries()
      .map(({ labels, value }) => `${name}${labelText(names, labels)} ${value.count}`)
    return [...header(this.#declaration, 'counter'), ...lines]
  }
}

/** The bounds of all histograms in seconds, from half a millisecond to ten seconds. */
const boundsSeconds: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** How often durations fell below each bound. */
export class Durations {
  readonly counts = new Float64Array(boundsSeconds.length + 1)
  sumSeconds = 0

  observe(milliseconds: number): void {
    const seconds = milliseconds / 1000
    let bucket = 0
    while (bucket < boundsSeconds.length && seconds > (boundsSeconds[bucket] as number)) bucket += 1
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1
    this.sumSeconds += seconds
  }
}

/** The distribution of durations. */
export class Histogram implements Metric {
  readonly #declaration: MetricDeclaration
  readonly #series = new Series(() => new Durations())

  constructor(declaration: MetricDeclaration) {
    this.#declaration = declaration
    if (declaration.labels === undefined) this.#series.of([])
  }

  get name(): string {
    return this.#declaration.name
  }

  of(...labels: readonly string[]): Durations {
    return this.#series.of(labels)
  }

  render(): readonly string[] {
    const lines = this.#series.entries().flatMap(({ labels, value }) => this.#linesOf(labels, value))
    return [...header(this.#declaration, 'histogram'), ...lines]
  }

  #linesOf(labels: readonly string[], { counts, sumSeconds }: Durations): string[] {
    const { name, labels: names = [] } = this.#declaration
    let total = 0
    const buckets = [...counts].map((count, index) => {
      total += count
      const bound = boundsSeconds[index] ?? '+Inf'
      return `${name}_bucket${labelText([...names, 'le'], [...labels, `${bound}`])} ${total}`
    })
    const own = labelText(names, labels)
    return [...buckets, `${name}_sum${own} ${sumSeconds}`, `${name}_count${own} ${total}`]
  }
}

/** A value that is read when the metrics are. */
export class Reading implements Metric {
  readonly #declaration: MetricDeclaration
  readonly #type: 'counter' | 'gauge'
  readonly #read: () => number | undefined | readonly (readonly [readonly string[], number])[]

  constructor(
    declaration: MetricDeclaration & { type?: 'counter' | 'gauge' },
    read: () => number | undefined | readonly (readonly [readonly string[], number])[],
  ) {
    this.#declaration = declaration
    this.#type = declaration.type ?? 'gauge'
    this.#read = read
  }

  get name(): string {
    return this.#declaration.name
  }

  render(): readonly string[] {
    const { name, labels: names = [] } = this.#declaration
    const value = this.#read()
    if (value === undefined) return []
    const values = typeof value === 'number' ? [[[] as readonly string[], value] as const] : value
    const lines = values.map(([labels, number]) => `${name}${labelText(names, labels)} ${number}`)
    return [...header(this.#declaration, this.#type), ...lines]
  }
}

/** Returns metrics as the text of a scrape. */
export function renderMetrics(metrics: readonly Metric[]): string {
  return `${metrics.flatMap((metric) => metric.render()).join('\n')}\n`
}
