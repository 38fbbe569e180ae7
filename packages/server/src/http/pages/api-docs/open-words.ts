// A response may hold words that a later server has added: a client that somebody's generator makes must not refuse the whole
// list because of one row. So each list of words of a response, or of an event, is open: `x-extensible-enum` and a text.

import { isHolder } from './share-parts.ts'

type Holder = Record<string, unknown>

interface Described {
  paths?: unknown
  webhooks?: unknown
  components?: { schemas?: unknown; responses?: unknown } | undefined
}

/** Opens each list of words that no request takes. */
export function openWords({ paths, webhooks, components }: Described): void {
  const schemas = (components?.schemas ?? {}) as Record<string, Holder>
  const [requests, responses] = partsOf(paths)
  const outgoing = [...responses, components?.responses, webhooks]
  const taken = namesIn(requests, schemas)
  const given = namesIn(outgoing, schemas)
  const open = Object.entries(schemas).filter(([name]) => given.has(name) && !taken.has(name))
  const schemasOfResponses = open.map(([, schema]) => schema)
  for (const node of [...outgoing, ...schemasOfResponses]) openAll(node)
  // The type of an event stays: it says which event it is.
  for (const node of [...responses, ...schemasOfResponses]) openConstants(node)
}

/** The responses of all operations, and everything else of them. */
function partsOf(paths: unknown): [unknown[], unknown[]] {
  const items = Object.values((paths ?? {}) as Record<string, Record<string, Holder>>)
  const operations = items.flatMap((item) => Object.values(item))
  return [
    operations.map(({ responses: _responses, ...request }) => request),
    operations.map(({ responses }) => responses),
  ]
}

/** The schemas to which a part of the document refers, and those to which they refer. */
function namesIn(part: unknown, schemas: Record<string, Holder>, found = new Set<string>()): Set<string> {
  if (!isHolder(part)) return found
  const [, name] = /^#\/components\/schemas\/(.+)$/.exec(String(part['$ref'])) ?? []
  if (name !== undefined && !found.has(name)) namesIn(schemas[name], schemas, found.add(name))
  for (const inner of Object.values(part)) namesIn(inner, schemas, found)
  return found
}

function openAll(node: unknown): void {
  if (!isHolder(node)) return
  for (const inner of Object.values(node)) openAll(inner)
  const { type, enum: words } = node
  if (type !== 'string' || !Array.isArray(words)) return
  delete node['enum']
  addWords(node, words)
}

/** A single word is a list that has one so far. */
function openConstants(node: unknown): void {
  if (!isHolder(node)) return
  for (const inner of Object.values(node)) openConstants(inner)
  const { const: word } = node
  if (typeof word !== 'string') return
  delete node['const']
  addWords(node, [word])
}

function addWords(node: Holder, words: unknown[]): void {
  const { description } = node
  const known = `Known: ${words.map((word) => `\`${word}\``).join(', ')}.`
  Object.assign(node, {
    description: description === undefined ? known : `${description} ${known}`,
    'x-extensible-enum': words,
  })
}
