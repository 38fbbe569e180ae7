import { idPrefixes } from '../../packages/core/src/shared/ids.ts'
import { type JsonSchema, refName } from './json-schema.ts'

/** Prefixes of ids by the resource that they name. A resource that is missing here gets its first three letters. */
const ownerPrefixes: Record<string, string> = {
  Activity: 'act',
  TimelineEntry: 'msg',
  ChangedConversation: 'con',
  CannedReply: 'rep',
  CustomerNote: 'cno',
  Door: 'inb',
  Draft: 'drf',
  DraftAuthor: 'usr',
  EventsToken: 'inb',
  InvitedUser: 'usr',
  OwnUser: 'usr',
  LastMessage: 'msg',
  Mention: 'men',
  ListedCustomer: 'cus',
  Message: 'msg',
  OwnDraft: 'drf',
  User: 'usr',
  ApiKey: 'key',
  DeliveryLog: 'log',
  TestedDelivery: 'log',
  Webhook: 'whk',
  CreatedWebhook: 'whk',
  CreatedApiKey: 'key',
  PopulatedConversation: 'con',
  UserSummary: 'usr',
  View: 'viw',
  CustomerName: 'cus',
  PrivacyRequest: 'prq',
  PrivacyRequestSummary: 'prq',
  DeletionRequest: 'prq',
}

/** Members that name a resource by another name than its own. */
const idMembers: Record<string, string> = {
  by: 'usr',
  createdBy: 'usr',
  assignedTo: 'usr',
  deliveryId: 'dlv',
  eventId: 'evt',
  webhookId: 'whk',
  keyId: 'key',
  senderId: 'usr',
  agentId: 'usr',
  userId: 'usr',
  fileId: 'att',
  messageId: 'msg',
  runId: 'imp',
  sourceId: 'cus',
}

/** Resources whose id stands in an object of their name. */
const resourcePrefixes: Record<string, string> = {
  conversation: 'con',
  customer: 'cus',
  message: 'msg',
  tenant: 'ten',
  user: 'usr',
}

/** Ids that the service does not make. */
const otherIds: Record<string, string> = { accountId: '10001', requestId: 'a-request', choiceId: 'yes' }

/** Realistic sample texts. A nullable member that is missing here is null in a sample. */
const texts: Record<string, string> = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  name: 'A name',
  email: 'ada@example.com',
  company: 'Engines Ltd',
  subject: 'A question',
  content: 'Hello',
  url: 'https://receiver.example/hook',
  message: 'Done',
  keyPrefix: 'sk_live_',
  keyHint: 'aB3d',
  window: '1 minute',
  key: 'sk_live_sample',
  secret: 'whsec_c2FtcGxlIHNlY3JldA==',
}

const moment = '2026-01-01T00:00:00.000Z'

/** The position of a value: the type it belongs to, and the member's name. */
export interface SamplePlace {
  readonly owner: string
  readonly member: string
}

/** The TypeScript of a value that the schema allows; ids are fresh at each evaluation. */
export function sampleValue(schema: JsonSchema, place: SamplePlace): string {
  if (schema.$ref !== undefined) return sampleOfName(refName(schema.$ref))
  const options = schema.anyOf ?? schema.allOf
  if (options) return sampleOfOptions(options, place)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return JSON.stringify(schema.enum[0])
  if (Array.isArray(schema.type)) {
    return sampleOfOptions(
      schema.type.map((type) => ({ ...schema, type })),
      place,
    )
  }
  return sampleOfType(schema, place)
}

function sampleOfType(schema: JsonSchema, place: SamplePlace): string {
  switch (schema.type) {
    case 'array':
      return schema.minItems ? `[${sampleValue(schema.items ?? {}, place)}]` : '[]'
    case 'object':
      return sampleObject(schema, resourcePrefixes[place.member] === undefined ? place.owner : place.member)
    case 'boolean':
      return /^(is[A-Z]|has[A-Z]|success)/.test(place.member) ? 'true' : 'false'
    case 'number':
    case 'integer':
      return String(Math.max(1, schema.minimum ?? 1))
    case 'string':
      return sampleText(schema, place)
    default:
      return 'null'
  }
}

function sampleOfName(name: string): string {
  return name === 'JsonValue' ? 'null' : `make${name}()`
}

function sampleOfOptions(options: readonly JsonSchema[], place: SamplePlace): string {
  const isNullable = options.some(({ type }) => type === 'null')
  const resource = options.find(({ $ref }) => $ref !== undefined && refName($ref) !== 'JsonValue')
  if (resource) return sampleValue(resource, place)
  if (isNullable && texts[place.member] === undefined) return 'null'
  return sampleValue(options.find(({ type }) => type !== 'null') ?? {}, place)
}

/** An object with one member a line, for the body of a function. */
export function sampleLines(schema: JsonSchema, owner: string): string {
  const lines = Object.entries(schema.properties ?? {}).map(
    ([member, part]) => `    ${memberName(member)}: ${sampleValue(part, { owner, member })},`,
  )
  return `{\n${lines.join('\n')}\n  }`
}

function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

/** `{ … }` with every declared member, optional ones too. */
function sampleObject(schema: JsonSchema, owner: string): string {
  const members = Object.entries(schema.properties ?? {}).map(
    ([member, part]) => `${memberName(member)}: ${sampleValue(part, { owner, member })}`,
  )
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}'
}

function sampleText(
  { format, minLength = 0, maxLength }: JsonSchema,
  { owner, member }: SamplePlace,
): string {
  if (format === 'date-time') return JSON.stringify(moment)
  if (format === 'date') return JSON.stringify(moment.slice(0, 10))
  if (owner === 'MessageChoice' && member === 'id') return JSON.stringify(otherIds['choiceId'])
  if (member === '_id' || member === 'id')
    return nextId(ownerPrefixes[owner] ?? resourcePrefixes[owner] ?? owner.slice(0, 3).toLowerCase())
  const [, named] = /^(\w+)Id$/.exec(member) ?? []
  if (otherIds[member] !== undefined) return JSON.stringify(otherIds[member])
  const prefix = idMembers[member] ?? named?.slice(0, 3)
  if (prefix !== undefined) return nextId(prefix)
  const text = texts[member] ?? `a ${member}`
  return JSON.stringify(text.padEnd(minLength, '.').slice(0, maxLength))
}

/** The expression of an id of a resource, such as a customer. */
export function idOf(resource: string): string {
  return nextId(resourcePrefixes[resource] ?? '')
}

function nextId(prefix: string): string {
  if (!idPrefixes.some((known) => known === prefix))
    throw new Error(`No id of the service begins with ${prefix}_: name its prefix in sample-value.ts`)
  return `nextId('${prefix}')`
}
