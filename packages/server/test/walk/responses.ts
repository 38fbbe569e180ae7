import { idPrefixes } from '../../../core/src/shared/ids.ts'

/** One response, without what may differ between two databases. */
export interface NotedResponse {
  readonly request: string
  readonly status: number
  readonly body: unknown
}

/** Some are made of a hash, with other signs than letters and digits, as are those of addresses (`ca`). */
const idPattern = new RegExp(`\\b(?:${[...idPrefixes, 'ca'].join('|')})_[\\w-]{20,}`, 'g')

/** Secrets are made by chance, positions belong to one database, and the time of an attempt to one machine. */
const leftOut = new Set([
  'requestId',
  'totalIsEstimate',
  'key',
  'keyHint',
  'secret',
  'inviteToken',
  'inboundToken',
  'inboundTokenPrefix',
  'eventsToken',
  'publicKey',
  'sessionToken',
  'accessToken',
  'refreshToken',
  'nextCursor',
  'durationMs',
  'secretPrefix',
  'identitySecretPrefix',
  'messageId',
  'resetAt',
])

/** A position, the key of a widget, and the token of the door of mail. */
const secretInPath = /((?:cursor|after|key)=|\/imt_|\/inbound\/events\/)[^&?]+/g

/** The file of a download may be JSON. */
function parsed(body: unknown): unknown {
  return typeof body === 'string' && body.startsWith('{"') ? JSON.parse(body) : body
}

interface LoggedEvent {
  timestamp: string
  event: string
  data: { _id?: string } | null
}

/** The responses of one world, with the same names for the same rows in every world: the order in which they were seen first. */
export class Responses {
  readonly list: NotedResponse[] = []
  readonly #names = new Map<string, string>()

  add(method: string, path: string, status: number, sent: unknown): void {
    const request = this.#text(`${method} ${path.replace(secretInPath, '$1…')}`)
    // Presence is in the memory of a process, and ends by the clock of the machine.
    const body = path.endsWith('/presence') ? null : parsed(sent)
    this.list.push({
      request,
      status,
      body: this.#value(this.#ordered(path, body)),
    })
  }

  #ordered(path: string, body: unknown): unknown {
    if (path.startsWith('/api/v1/events?')) return this.#inOrder(body)
    if (path.endsWith('/errors/export') && typeof body === 'string') return linesInOrder(body)
    return path.includes('/errors?') ? issuesInOrder(body) : body
  }

  /** Background work changes several rows at one moment: which of them is first differs between two runs too. */
  #inOrder(body: unknown): unknown {
    const { data } = body as { data?: unknown }
    if (!Array.isArray(data)) return body
    const keyOf = ({ timestamp, event, data: about }: LoggedEvent) =>
      `${timestamp} ${event} ${this.#names.get(about?._id ?? '') ?? ''}`
    const events = (data as LoggedEvent[]).toSorted((a, b) =>
      keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b)),
    )
    return { ...(body as object), data: events }
  }

  #text(text: string): string {
    return text.replace(idPattern, (id) => {
      const known = this.#names.get(id)
      if (known !== undefined) return known
      const name = `${id.slice(0, id.indexOf('_'))}#${this.#names.size}`
      this.#names.set(id, name)
      return name
    })
  }

  #value(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (Array.isArray(value)) return value.map((one) => this.#value(one))
    if (typeof value !== 'object' || value === null) return value
    // The use of a key is noted later, together with other uses.
    const noted = Object.entries(value).filter(([name]) => name !== 'lastUsedAt')
    return Object.fromEntries(
      noted.map(([name, one]) => [this.#text(name), leftOut.has(name) ? one === null : this.#value(one)]),
    )
  }
}

interface ListedIssue {
  createdAt: string
  code: string
  externalId: string | null
}

/** An undo takes the records of a page in the order of digests, which the worlds do not share. */
function issuesInOrder(body: unknown): unknown {
  const { data } = body as { data?: unknown }
  if (!Array.isArray(data)) return body
  const keyOf = ({ createdAt, code, externalId }: ListedIssue) =>
    [createdAt, code, externalId?.split(':').at(-1)].join(' ')
  const issues = (data as ListedIssue[]).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return { ...(body as object), data: issues }
}

function linesInOrder(table: string): string {
  const lines = table.split('\r\n').map((line) => [line.replace(idPattern, ''), line] as const)
  return lines
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, line]) => line)
    .join('\r\n')
}

/** Returns the first response that differs between two worlds, with the places in it that differ; undefined: none. */
export function firstDifference(
  ones: readonly NotedResponse[],
  others: readonly NotedResponse[],
): string | undefined {
  for (let i = 0; i < Math.max(ones.length, others.length); i++) {
    const [one, other] = [ones[i], others[i]]
    if (JSON.stringify(one) === JSON.stringify(other)) continue
    if (isCutShort(one) || isCutShort(other)) continue
    const places = placesOf(one, other, '').slice(0, 5)
    return [one?.request ?? other?.request, ...places].join('\n')
  }
  return undefined
}

/** A search ends after a time of the machine, and says so. The model holds what it has found by then to the rows. */
function isCutShort(noted: NotedResponse | undefined): boolean {
  const body = noted?.body as { data?: { isPartial?: Record<string, boolean> } } | null | undefined
  return Object.values(body?.data?.isPartial ?? {}).includes(true)
}

function placesOf(one: unknown, other: unknown, at: string): string[] {
  const [text, otherText] = [JSON.stringify(one), JSON.stringify(other)]
  if (text === otherText) return []
  const isInside = typeof one === 'object' && typeof other === 'object' && one !== null && other !== null
  if (!isInside) return [`  ${at}: ${text} | ${otherText}`]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const places = [...names].flatMap((name) =>
    placesOf(
      (one as Record<string, unknown>)[name],
      (other as Record<string, unknown>)[name],
      `${at}/${name}`,
    ),
  )
  // The same values in another order.
  return places.length > 0 ? places : [`  ${at}: ${text} | ${otherText}`]
}
