import { eventTypes } from '../../packages/core/src/events/event-types.ts'
import type { JsonSchema } from './json-schema.ts'
import { idOf, sampleLines, sampleValue } from './sample-value.ts'
import { dataTypes } from './sdk-events.ts'
import type { SdkMethod } from './sdk-method.ts'
import type { TypeBook } from './type-book.ts'

/** One factory for each resource: a member that core gains is in it after the next generation. */
export function renderSamples(book: TypeBook): string {
  const resources = resourcesOf(book)
  const factories = resources.map(([name, schema]) =>
    [
      `/** ${article(name)}, with fresh ids; \`overrides\` replaces single members, in nested objects too, and arrays as a whole. */`,
      `export function make${name}(overrides?: Overrides<${name}>): ${name} {`,
      `  const sample: ${name} = ${sampleLines(schema, name)}`,
      '  return withOverrides(sample, overrides)',
      '}',
    ].join('\n'),
  )
  return [
    `import type {\n${resources.map(([name]) => `  ${name},`).join('\n')}\n} from '../resources/types.gen.ts'`,
    "import { nextId, type Overrides, withOverrides } from './overrides.ts'",
    '',
    factories.join('\n\n'),
    '',
  ].join('\n')
}

/** Expressions that make `data` of a type that is not a resource. */
const eventData: Record<string, string> = {
  ConversationEventData: 'makeConversationEventData()',
  MessageEventData: 'makeMessageEventData()',
  MailEventData:
    "{ _id: nextId('mail'), inboxId: nextId('inb'), door: 'http', status: 'parked', reason: 'no_sender', receivedAt: '2026-01-01T00:00:00.000Z' }",
  InboxDoorEventData:
    "{ inboxId: nextId('inb'), part: 'receiving', since: '2026-01-01T00:00:00.000Z', reason: 'The server refuses the sign-in.', waiting: 0 }",
  IntegrationDoorEventData:
    "{ integrationId: nextId('int'), since: '2026-01-01T00:00:00.000Z', reason: 'The source refuses the credentials.' }",
}

/** One sample for each type of event, made of the same factories. */
export function renderSampleEvents(book: TypeBook): string {
  const resources = new Set(resourcesOf(book).map(([name]) => name))
  const dataOf = (type: keyof typeof dataTypes): string => {
    const name = dataTypes[type]
    if (name === 'DeletedData') return `{ _id: ${idOf(type.split('.')[0] ?? '')} }`
    const known = eventData[name] ?? (resources.has(name) ? `make${name}()` : undefined)
    if (known === undefined) throw new Error(`No sample of ${name}, the data of ${type}: see sdk-samples.ts`)
    return known
  }
  const lines = eventTypes.map((type) => `  '${type}': ${thunk(dataOf(type))},`)
  const used = [...new Set(lines.join('\n').match(/make\w+(?=\(\))/g))].filter((name) =>
    resources.has(name.slice('make'.length)),
  )
  return [
    "import type { CrmEvent, EventType } from '../resources/events.gen.ts'",
    "import { makeConversationEventData, makeMessageEventData } from './event-data.ts'",
    "import { nextId } from './overrides.ts'",
    `import { ${used.sort().join(', ')} } from './samples.gen.ts'`,
    '',
    '/** Makes the `data` of each type of event. */',
    "export const sampleEventData: { [Type in EventType]: () => Extract<CrmEvent, { event: Type }>['data'] } = {",
    ...lines,
    "  'webhook.test': () => ({ webhookId: nextId('whk'), name: 'A name', message: 'A test event' }),",
    '}',
    '',
  ].join('\n')
}

const nowhere = { owner: '', member: '' }

/** A sample of each operation's result, as its SDK method returns it; for a list, its rows. */
export function renderSampleReplies(all: readonly SdkMethod[], book: TypeBook): string {
  // A stream is endless, and each test makes its own file: neither has a sample.
  const methods = all.filter(({ reply }) => reply.kind !== 'stream' && reply.kind !== 'download')
  const types = methods.map(({ operation, reply }) => `  '${operation.id}': ${replyType(reply)}`)
  const samples = methods.map(({ operation, reply }) => `  '${operation.id}': ${thunk(replySample(reply))},`)
  const asking = methods.filter(({ asked }) => asked !== undefined)
  const names = book.names().filter((name) => new RegExp(`\\b${name}\\b`).test(types.join('\n')))
  const made = [...samples, ...asking.map(({ asked }) => asked?.sample)]
  const factories = [...new Set(made.join('\n').match(/make\w+(?=\(\))/g))].sort()
  const needsIds = samples.some((line) => line.includes('nextId('))
  return [
    "import type { MessageReply } from '../core/call-options.ts'",
    `import type {\n${names.map((name) => `  ${name},`).join('\n')}\n} from '../resources/types.gen.ts'`,
    ...(needsIds ? ["import { nextId } from './overrides.ts'"] : []),
    `import {\n${factories.map((name) => `  ${name},`).join('\n')}\n} from './samples.gen.ts'`,
    '',
    'type Rows<T> = T[]',
    '',
    'interface AskedFor {',
    '  readonly asks: string',
    '  readonly make: () => Readonly<Record<string, object>>',
    '}',
    '',
    '/** The result of each operation: its data, for a list its rows. */',
    'export interface Replies {',
    ...types,
    '}',
    '',
    'export const sampleReplies: { readonly [Id in keyof Replies]: () => Replies[Id] } = {',
    ...samples,
    '}',
    '',
    '/** The envelope’s members besides `success` and `data`. */',
    'export const besideData: Readonly<Partial<Record<keyof Replies, object>>> = {',
    ...methods.flatMap(({ operation, reply }) => {
      if (reply.kind !== 'plain' || Object.keys(reply.beside).length === 0) return []
      return [`  '${operation.id}': ${sampleValue({ type: 'object', properties: reply.beside }, nowhere)},`]
    }),
    '}',
    '',
    '/** The members beside `data` that a field of the request asks for. */',
    'export const askedFor: Readonly<Partial<Record<keyof Replies, AskedFor>>> = {',
    ...asking.map(
      ({ operation, asked }) =>
        `  '${operation.id}': { asks: '${asked?.asks}', make: () => ({ ${asked?.member}: ${asked?.sample} }) },`,
    ),
    '}',
    '',
    '/** The text of a form without which the reply is a list. */',
    'export const listWithout: Readonly<Partial<Record<keyof Replies, string>>> = {',
    ...methods.flatMap(({ operation, listWithout }) =>
      listWithout === undefined ? [] : [`  '${operation.id}': '${listWithout}',`],
    ),
    '}',
    '',
    '/** The status of a success, where it is not 200. */',
    'export const successStatus: Readonly<Partial<Record<keyof Replies, number>>> = {',
    ...methods
      .filter(({ operation }) => operation.status !== 200)
      .map(({ operation }) => `  '${operation.id}': ${operation.status},`),
    '}',
    '',
  ].join('\n')
}

function replyType(reply: SdkMethod['reply']): string {
  return reply.kind === 'list' || reply.kind === 'log' ? `Rows<${reply.type}>` : reply.type
}

function replySample(reply: SdkMethod['reply']): string {
  if ('envelope' in reply) return sampleValue(reply.envelope, nowhere)
  if (!('schema' in reply)) return "{ success: true, message: 'Done' }"
  const sample = sampleValue(reply.schema, nowhere)
  return reply.kind === 'list' || reply.kind === 'log'
    ? `[${sample}]`
    : reply.schema.type === 'array'
      ? `[${itemSample(reply.schema)}]`
      : sample
}

function itemSample({ items = {} }: JsonSchema): string {
  return sampleValue(items, nowhere)
}

/** The named types that the service sends. */
function resourcesOf(book: TypeBook): [name: string, schema: JsonSchema][] {
  return [...book.replySchemas].sort(([a], [b]) => (a < b ? -1 : 1))
}

function thunk(expression: string): string {
  return `() => ${expression.startsWith('{') ? `(${expression})` : expression}`
}

function article(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
  return `${/^[AEIOU]/.test(name) ? 'An' : 'A'} ${words.charAt(0).toLowerCase()}${words.slice(1)}`
}
