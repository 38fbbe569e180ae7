// The changes that break a client which was made from an earlier OpenAPI document of the service.

type Schema = Readonly<Record<string, unknown>>

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Schema>>>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, Schema>>>>
}

/** A request may not refuse what it took; a response may not hold what a client does not expect. */
type Direction = 'request' | 'response'

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null
const objectOf = (value: unknown): Schema => (isObject(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

interface Pair {
  readonly before: unknown
  readonly after: unknown
  readonly place: string
}

interface Where {
  readonly place: string
  readonly direction: Direction
}

const upperBounds = ['maxLength', 'maxItems', 'maximum']
const lowerBounds = ['minLength', 'minItems', 'minimum']

class Comparison {
  readonly breaks = new Set<string>()
  readonly #before: Document
  readonly #after: Document
  /** Pairs that are compared already: schemas refer to themselves. */
  readonly #seen = new Set<string>()

  constructor(before: Document, after: Document) {
    this.#before = before
    this.#after = after
  }

  /** Takes each operation; in a webhook the request is what the service sends. */
  operations(kind: 'paths' | 'webhooks'): void {
    for (const [path, item] of Object.entries(this.#before[kind] ?? {})) {
      for (const [method, before] of Object.entries(item)) {
        const place = kind === 'paths' ? `${method.toUpperCase()} ${path}` : `the event ${path}`
        const after = this.#after[kind]?.[path]?.[method]
        if (after === undefined) this.#add(place, 'is absent')
        else this.#operation({ before, after, place }, kind === 'paths' ? 'request' : 'response')
      }
    }
  }

  #operation({ before, after, place }: Pair, sent: Direction): void {
    const [old, now] = [objectOf(before), objectOf(after)]
    this.#parameters({ before: old['parameters'], after: now['parameters'], place }, sent)
    const [oldBody, newBody] = [
      this.#resolve(old['requestBody'], 'before'),
      this.#resolve(now['requestBody'], 'after'),
    ]
    if (newBody['required'] === true && oldBody['required'] !== true) this.#add(place, 'demands a body')
    this.#contents({ before: oldBody, after: newBody, place: `${place} body` }, sent)
    if (sent === 'response') return
    const responses = objectOf(now['responses'])
    for (const [status, response] of Object.entries(objectOf(old['responses']))) {
      // A client expects the status of a success; a refusal may change.
      if (!status.startsWith('2')) continue
      if (responses[status] === undefined) this.#add(place, `does not respond with ${status} any more`)
      const pair = {
        before: this.#resolve(response, 'before'),
        after: this.#resolve(responses[status], 'after'),
      }
      this.#contents({ ...pair, place: `${place} response` }, 'response')
    }
  }

  #parameters({ before, after, place }: Pair, direction: Direction): void {
    const keyOf = (parameter: Schema) =>
      `${String(parameter['in'])} ${String(parameter['name'])}`.toLowerCase()
    const known = new Map(
      listOf(before)
        .map((one) => this.#resolve(one, 'before'))
        .map((one) => [keyOf(one), one]),
    )
    const left = new Map(
      listOf(after)
        .map((one) => this.#resolve(one, 'after'))
        .map((one) => [keyOf(one), one]),
    )
    for (const [key, parameter] of known) {
      const now = left.get(key)
      if (now === undefined) this.#add(`${place} ${key}`, 'is absent')
      else
        this.#schemas(
          { before: parameter['schema'], after: now['schema'], place: `${place} ${key}` },
          direction,
        )
    }
    for (const [key, parameter] of left)
      if (direction === 'request' && parameter['required'] === true && known.get(key)?.['required'] !== true)
        this.#add(`${place} ${key}`, 'is required')
  }

  #contents({ before, after, place }: Pair, direction: Direction): void {
    const now = objectOf(objectOf(after)['content'])
    for (const [type, content] of Object.entries(objectOf(objectOf(before)['content']))) {
      if (now[type] === undefined) this.#add(place, `is not ${type} any more`)
      else
        this.#schemas(
          { before: objectOf(content)['schema'], after: objectOf(now[type])['schema'], place },
          direction,
        )
    }
  }

  #schemas({ before, after, place }: Pair, direction: Direction): void {
    const key = JSON.stringify([direction, before, after])
    if (before === undefined || after === undefined || this.#seen.has(key)) return
    this.#seen.add(key)
    const [old, now] = [this.#options(before, 'before'), this.#options(after, 'after')]
    this.#types(old, now, { place, direction })
    const [from, to] = [old.schemas, now.schemas]
    // Of several choices, only those that differ are compared, in their order.
    for (const [index, schema] of from.entries()) {
      const other = to[index]
      if (other !== undefined) this.#members({ before: schema, after: other, place }, direction)
    }
  }

  #types(old: Options, now: Options, { place, direction }: Where): void {
    const [wider, narrower] = direction === 'request' ? [old, now] : [now, old]
    const verb = direction === 'request' ? 'takes no' : 'may be'
    // A schema without a type takes each.
    if (narrower.types.size === 0) return
    for (const type of wider.types) {
      const isTaken = narrower.types.has(type) || (type === 'integer' && narrower.types.has('number'))
      if (!isTaken) this.#add(place, `${verb} ${type}${direction === 'request' ? ' any more' : ''}`)
    }
  }

  #members({ before, after, place }: Pair, direction: Direction): void {
    const [old, now] = [objectOf(before), objectOf(after)]
    this.#words(old, now, { place, direction })
    if (direction === 'request') this.#bounds(old, now, place)
    const [from, to] = [objectOf(old['properties']), objectOf(now['properties'])]
    const isOpen = now['additionalProperties'] !== false
    for (const [name, schema] of Object.entries(from)) {
      if (to[name] !== undefined)
        this.#schemas({ before: schema, after: to[name], place: `${place} ${name}` }, direction)
      else if (direction === 'response' || !isOpen) this.#add(`${place} ${name}`, 'is absent')
    }
    this.#required(old, now, { place, direction })
    for (const inner of ['items', 'additionalProperties'])
      if (isObject(old[inner]) && isObject(now[inner]))
        this.#schemas({ before: old[inner], after: now[inner], place: `${place} ${inner}` }, direction)
  }

  #required(old: Schema, now: Schema, { place, direction }: Where): void {
    const isRequest = direction === 'request'
    const [required, demanded] = [listOf(old['required']), listOf(now['required'])]
    const [some, others] = isRequest ? [demanded, required] : [required, demanded]
    const isThere = (name: string) => isRequest || name in objectOf(now['properties'])
    for (const name of some.map(String))
      if (!others.includes(name) && isThere(name))
        this.#add(`${place} ${name}`, isRequest ? 'is required' : 'may be absent')
  }

  /** A request keeps its words; a closed list of a response gets no new one, and an open one may. */
  #words(old: Schema, now: Schema, { place, direction }: Where): void {
    const [from, to] = [listOf(old['enum']), listOf(now['enum'])]
    if (to.length === 0 || (from.length === 0 && direction === 'response')) return
    const [some, others] = direction === 'request' ? [from, to] : [to, from]
    for (const word of some)
      if (!others.includes(word))
        this.#add(place, `${direction === 'request' ? 'takes no' : 'may be'} "${String(word)}"`)
    if (from.length === 0) this.#add(place, 'takes the words of a list alone')
  }

  #bounds(old: Schema, now: Schema, place: string): void {
    const isLess = (bound: string) => Number(now[bound] ?? Infinity) < Number(old[bound] ?? Infinity)
    const isMore = (bound: string) => Number(now[bound] ?? -Infinity) > Number(old[bound] ?? -Infinity)
    for (const bound of [...upperBounds.filter(isLess), ...lowerBounds.filter(isMore)])
      this.#add(place, `has a narrower ${bound}`)
  }

  /** The choices of a schema without null, and all their types. */
  #options(schema: unknown, side: 'before' | 'after'): Options {
    const found = this.#resolve(schema, side)
    const choices = [...listOf(found['anyOf']), ...listOf(found['oneOf'])]
    if (choices.length > 0) {
      const parts = choices.map((choice) => this.#options(choice, side))
      return {
        schemas: parts.flatMap(({ schemas }) => schemas),
        types: new Set(parts.flatMap(({ types }) => [...types])),
      }
    }
    const types = new Set([found['type'] ?? []].flat().map(String))
    return { schemas: types.size === 1 && types.has('null') ? [] : [found], types }
  }

  #resolve(part: unknown, side: 'before' | 'after'): Schema {
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(String(objectOf(part)['$ref'])) ?? []
    if (name === '') return objectOf(part)
    const document = side === 'before' ? this.#before : this.#after
    return this.#resolve(document.components?.[kind]?.[name], side)
  }

  #add(place: string, what: string): void {
    this.breaks.add(`${place}: ${what}`)
  }
}

interface Options {
  readonly schemas: readonly Schema[]
  readonly types: ReadonlySet<string>
}

/** Returns the breaking changes, each as a place and what happened there. */
export function breakingChanges(before: Document, after: Document): string[] {
  const comparison = new Comparison(before, after)
  comparison.operations('paths')
  comparison.operations('webhooks')
  return [...comparison.breaks].sort()
}
