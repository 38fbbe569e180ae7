import { randomBytes } from 'node:crypto'
import type { Connection, mongo } from 'mongoose'
import type { MigrateOptions } from '../../../ports/storage.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { withoutPosition } from '../events/event-sequencer.ts'
import { renewSearch } from '../search/renew-search.ts'
import type { Database } from './access.ts'
import { type CollectionName, type CollectionRule, collections } from './collections.ts'
import { assertAlone, unseenName } from './earlier-processes.ts'
import { trusted } from './filters.ts'
import { readSchemaState, writeSchemaState } from './schema-state.ts'

/** The schema that this version of the service works with. */
export const schemaVersion = 19
/** The row with this installation's id, which is created once and never changes. */
const installationRow = 'installation'

export async function readInstallation(database: Database): Promise<string> {
  const [found] = await database.across().find('serverState', { _id: installationRow })
  const id = found?.row?.['id']
  if (typeof id !== 'string') throw new Error('the database has not been migrated')
  return id
}

/** Reads the customer who wrote a message out of the record of earlier versions. */
const messageAuthor = {
  $let: {
    vars: {
      found: {
        $regexFind: { input: '$row.sender.json', regex: '^\\{"type":"customer","_id":"([^"\\\\]+)"' },
      },
    },
    in: { authorCustomerId: { $ifNull: [{ $arrayElemAt: ['$$found.captures', 0] }, null] } },
  },
}

/** Reads the id of a user out of `{type, _id}` in a record of version 5, null for every other type. */
function userIn(field: string) {
  const input = `$row.${field}.json`
  const found = { $regexFind: { input, regex: '^\\{"type":"user","_id":"([^"\\\\]+)"' } }
  return {
    $let: { vars: { found }, in: { $ifNull: [{ $arrayElemAt: ['$$found.captures', 0] }, null] } },
  }
}

/** Adds the values by which rows of version 5 are found by the user whom they name. */
async function addUserKeys(across: ReturnType<Database['across']>): Promise<void> {
  const lacks = (name: string) => ({ [`keys.${name}`]: trusted({ $exists: false }) })
  await across.update('messages', lacks('authorUserId'), [
    { $set: { keys: { authorUserId: userIn('sender') } } },
  ])
  await across.update('auditLog', lacks('actorUserId'), [
    { $set: { keys: { actorUserId: userIn('actor'), targetUserId: userIn('target') } } },
  ])
}
/**
 * Gives the customers of version 5 their external ids and the key of their e-mail. `$toLower` folds ASCII letters alone: an
 * e-mail with other capital letters is found after the next change of its customer.
 */
const externalIds = [
  {
    $set: {
      'row.externalIds': { json: '[]' },
      'keys.emailNormalized': {
        $let: {
          vars: { found: { $regexFind: { input: '$row.profile.json', regex: '"email":"([^"]+)"' } } },
          in: {
            $cond: ['$$found', { $toLower: { $arrayElemAt: ['$$found.captures', 0] } }, null],
          },
        },
      },
    },
  },
]

const changedHere = { 'keys.changedAt': '$row.updatedAt' }
/** The last eight digits of the phone number in the record of a customer; null when it has fewer. */
const phoneTail = {
  $let: {
    vars: { found: { $regexFind: { input: '$row.profile.json', regex: '"phone":"([^"]+)"' } } },
    in: {
      $let: {
        vars: {
          digits: {
            $reduce: {
              input: {
                $regexFindAll: {
                  input: { $ifNull: [{ $arrayElemAt: ['$$found.captures', 0] }, ''] },
                  regex: '[0-9]',
                },
              },
              initialValue: '',
              in: { $concat: ['$$value', '$$this.match'] },
            },
          },
        },
        in: {
          $cond: [
            { $gte: [{ $strLenCP: '$$digits' }, 8] },
            { $substrCP: ['$$digits', { $subtract: [{ $strLenCP: '$$digits' }, 8] }, 8] },
            null,
          ],
        },
      },
    },
  },
}

/** Adds to the rows of version 6 when they changed here, the ends of phone numbers, and custom fields of conversations. */
async function addImportKeys(across: ReturnType<Database['across']>): Promise<void> {
  const unmarked = { 'keys.changedAt': trusted({ $exists: false }) }
  const customerKeys = { ...changedHere, 'keys.phoneTail': phoneTail }
  await across.update('customers', unmarked, [{ $set: customerKeys }])
  const conversationFields = { ...changedHere, 'row.customFields': { json: '{}' } }
  await across.update('conversations', unmarked, [{ $set: conversationFields }])
}

/** Makes the inboxes of version 6 found by the public keys of their chat widgets. */
async function addWidgetKeys(database: Database): Promise<void> {
  const keyed = { 'row.widget.json': trusted({ $regex: '"publicKey":"' }) }
  for (const { tenantId, id, row } of await database.across().find('inboxes', keyed)) {
    const { json } = row['widget'] as { json: string }
    const { publicKey } = JSON.parse(json) as { publicKey: string }
    await database
      .tenant(tenantId)
      .upsertOne('widgetKeys', id, [{ $set: { keys: { widgetKey: publicKey } } }])
  }
}

/** Makes the mails that wait in version 12 found by the queues of their inboxes. */
async function addMailQueues(across: ReturnType<Database['across']>, database: Database): Promise<void> {
  for (const { tenantId, id, row } of await across.find('inboundMails', {
    'row.dueAt': trusted({ $type: 'string' }),
  })) {
    const keys = { mailQueue: `${tenantId} ${String(row['inboxId'])}`, dueAt: row['dueAt'] }
    await database.tenant(tenantId).upsertOne('dueMails', id, [{ $set: { keys } }])
  }
}

/** Marks the mails of version 13 that need a person. */
async function markMailsThatNeedAPerson(across: ReturnType<Database['across']>): Promise<void> {
  const unmarked = { 'keys.needsYou': trusted({ $exists: false }) }
  const mark = (until: unknown) => [{ $set: { 'keys.needsYou': 'yes', 'keys.needsYouUntil': until } }]
  await across.update(
    'inboundMails',
    { ...unmarked, 'row.status': 'parked' },
    mark('9999-12-31T23:59:59.999Z'),
  )
  const received = { $dateFromString: { dateString: '$row.receivedAt' } }
  const copies = { ...unmarked, 'row.status': 'ignored', 'row.reason': 'duplicate' }
  await across.update(
    'inboundMails',
    { ...copies, 'row.duplicateOf': trusted({ $type: 'string' }) },
    mark({ $dateToString: { date: { $dateAdd: { startDate: received, unit: 'day', amount: 7 } } } }),
  )
}

/** Makes the inboxes of version 12 whose domain is proven found by their addresses. */
async function addProvenAddresses(across: ReturnType<Database['across']>, database: Database): Promise<void> {
  const proven = new Set<string>()
  const hasProof = { 'row.email.json': trusted({ $regex: '"domainProvenAt":"' }) }
  for (const { tenantId, id } of await across.find('inboxes', hasProof)) proven.add(`${tenantId} ${id}`)
  for (const { tenantId, id, keys } of await across.find('emailAddresses', {})) {
    if (!proven.has(`${tenantId} ${id}`)) continue
    const set = { keys: { provenAddress: keys?.['emailAddress'] ?? null } }
    await database.tenant(tenantId).upsertOne('provenAddresses', id, [{ $set: set }])
  }
}

function indexesOf({ indexes }: CollectionRule): mongo.IndexDescription[] {
  return Object.entries(indexes).map(([name, { fields, isUnique, only }]) => ({
    name,
    key: Object.fromEntries(fields.map((field) => [field, 1])),
    ...(isUnique && { unique: true }),
    ...(only && { partialFilterExpression: only }),
  }))
}

/** Renames three computed values of version 3. */
async function renameKeys(across: ReturnType<Database['across']>): Promise<void> {
  const renamed = (from: string, to: string) => [{ $set: { keys: { [to]: `$keys.${from}` } } }]
  const has = (name: string) => ({ [`keys.${name}`]: trusted({ $exists: true }) })
  await across.update('customers', has('lastName'), renamed('lastName', 'lastNameKey'))
  await across.update('messages', has('customerId'), renamed('customerId', 'authorCustomerId'))
  await across.update('dueAttempts', has('lane'), [
    { $set: { 'keys.deliveryQueue': '$keys.lane' } },
    { $unset: 'keys.lane' },
  ])
}

/** Makes the drafts of version 11 found by the author whose draft was not sent, or is planned. */
async function addDraftStates(across: ReturnType<Database['across']>): Promise<void> {
  const authorWhere = (field: string) => ({
    $cond: [{ $eq: [{ $type: `$row.${field}` }, 'string'] }, '$row.authorId', null],
  })
  const unmarked = { 'keys.unsentOf': trusted({ $exists: false }) }
  await across.update('drafts', unmarked, [
    { $set: { 'keys.unsentOf': authorWhere('sendError'), 'keys.plannedOf': authorWhere('sendAt') } },
  ])
}

/** Makes the drafts of version 14 found by the address for which their recipients were chosen. */
async function addAddressesOfDrafts(across: ReturnType<Database['across']>): Promise<void> {
  const unmarked = { 'keys.basisEmail': trusted({ $exists: false }) }
  const found = { $regexFind: { input: '$row.basis.json', regex: '"customerEmail":"([^"]+)"' } }
  const address = {
    $ifNull: [{ $first: { $ifNull: [{ $getField: { field: 'captures', input: found } }, []] } }, null],
  }
  await across.update('drafts', unmarked, [{ $set: { 'keys.basisEmail': address } }])
}

/** Sorts the conversations of version 15 by their last message. Nobody waits in them until they are filled. */
async function addActivity(across: ReturnType<Database['across']>): Promise<void> {
  const activity = { $ifNull: ['$row.lastMessageAt', '$row.createdAt'] }
  const sinceEpoch = { $toLong: { $dateFromString: { dateString: activity } } }
  await across.update('conversations', { 'keys.activity': trusted({ $exists: false }) }, [
    { $set: { 'keys.activity': activity, 'keys.waiting': { $toDouble: { $subtract: [1e14, sinceEpoch] } } } },
  ])
}

/** Places the customers of version 16 before all who have written, until they are filled. */
async function addLastContact(across: ReturnType<Database['across']>): Promise<void> {
  const unmarked = { 'keys.lastContact': trusted({ $exists: false }) }
  await across.update('customers', unmarked, [{ $set: { 'keys.lastContact': '' } }])
}

/** Makes the mailboxes of version 18 due immediately. */
async function addDueMailboxes(across: ReturnType<Database['across']>, database: Database): Promise<void> {
  for (const { tenantId, id, keys } of await across.find('imapMailboxes', {})) {
    const due = `1970-01-01T00:00:00.000Z ${keys?.['imapMailbox']}`
    await database.tenant(tenantId).upsertOne('dueMailboxes', id, [{ $set: { keys: { mailboxDue: due } } }])
  }
}

/** Marks the identities of version 4, in which an e-mail had one, as the first one of their e-mail. */
async function markFirstIdentities(across: ReturnType<Database['across']>): Promise<void> {
  const unmarked = { 'keys.firstOfEmail': trusted({ $exists: false }) }
  await across.update('identities', unmarked, [{ $set: { keys: { firstOfEmail: '$row.email' } } }])
}

/** Drops indexes of earlier versions: `createIndexes` refuses an index with the same fields and another name. */
async function dropUndeclaredIndexes(connection: Connection, existing: ReadonlySet<string>): Promise<void> {
  for (const name of Object.keys(collections) as CollectionName[]) {
    if (!existing.has(name)) continue
    const declared = new Map(indexesOf(collections[name]).map((index) => [index.name, index.key]))
    for (const { name: index, key } of await connection.collection(name).indexes()) {
      const isDeclared = JSON.stringify(declared.get(index)) === JSON.stringify(key)
      if (index !== undefined && index !== '_id_' && !isDeclared) {
        await connection.collection(name).dropIndex(index).catch(orMissing)
      }
    }
  }
}

const indexNotFoundCode = 27

/** Ignores that an index is missing: another process that starts at the same moment may have dropped it. */
function orMissing(error: unknown): void {
  if ((error as { code?: unknown }).code !== indexNotFoundCode) throw error
}

/** Creates a collection before a transaction would: when two transactions create it at once, one of them fails. */
async function prepare(connection: Connection, name: CollectionName, existing: ReadonlySet<string>) {
  const indexes = indexesOf(collections[name])
  if (indexes.length > 0) await connection.collection(name).createIndexes(indexes)
  else if (!existing.has(name)) await connection.createCollection(name).catch(orExists)
}

/** One after the other, the collections would take a round trip each at every start. */
const preparedAtOnce = 8

const namespaceExistsCode = 48

function orExists(error: unknown): void {
  if ((error as { code?: unknown }).code !== namespaceExistsCode) throw error
}

type Across = ReturnType<Database['across']>

/** Brings a database to a schema. */
export interface SchemaStep {
  readonly schema: number
  /**
   * `expands`: programs of the schema before go on to serve beside it. It adds collections, indexes, and values that no program
   * of before writes. `contracts`: they would miss what it removes, or write rows that those of this schema do not find.
   */
  readonly kind: 'expands' | 'contracts'
  /** Brings the rows of before into the form of this schema. Idempotent. */
  readonly run?: (across: Across, database: Database) => Promise<unknown>
}

/** The steps in their order. A step that is released never changes. */
export const schemaSteps: readonly SchemaStep[] = [
  // Version 1 had no positions: its events get theirs now, in the order of their ids.
  {
    schema: 2,
    kind: 'contracts',
    run: (across) => across.update('events', { 'keys.position': null }, { $set: { keys: withoutPosition } }),
  },
  {
    schema: 3,
    kind: 'contracts',
    run: (across) => across.update('messages', { keys: null }, [{ $set: { keys: messageAuthor } }]),
  },
  { schema: 4, kind: 'contracts', run: renameKeys },
  { schema: 5, kind: 'contracts', run: markFirstIdentities },
  {
    schema: 6,
    kind: 'contracts',
    async run(across) {
      await addUserKeys(across)
      await across.update('customers', { 'row.externalIds': trusted({ $exists: false }) }, externalIds)
    },
  },
  {
    schema: 7,
    kind: 'contracts',
    async run(across, database) {
      await addImportKeys(across)
      await addWidgetKeys(database)
    },
  },
  { schema: 8, kind: 'contracts' },
  { schema: 9, kind: 'contracts', run: renewSearch },
  { schema: 10, kind: 'contracts' },
  { schema: 11, kind: 'contracts' },
  { schema: 12, kind: 'contracts', run: addDraftStates },
  {
    schema: 13,
    kind: 'contracts',
    async run(across, database) {
      await addMailQueues(across, database)
      await addProvenAddresses(across, database)
    },
  },
  { schema: 14, kind: 'contracts', run: markMailsThatNeedAPerson },
  { schema: 15, kind: 'expands', run: addAddressesOfDrafts },
  // Programs of before write the keys of a conversation anew, without these.
  { schema: 16, kind: 'contracts', run: addActivity },
  // Programs of before write the keys of a customer anew, without this one.
  { schema: 17, kind: 'contracts', run: addLastContact },
  // Programs of before make inboxes whose mailboxes are not found by it.
  { schema: 19, kind: 'contracts', run: addDueMailboxes },
]

interface Plan extends MigrateOptions {
  steps?: readonly SchemaStep[]
  /** The names of connections of processes that nobody sees in the database, as a regular expression. */
  unseen?: string
}

/**
 * Creates the missing collections and indexes. MongoDB builds an index while it serves, and creating one that exists
 * or is being built has no effect: any number of processes may migrate at once.
 */
export async function migrateDatabase(
  connection: Connection,
  database: Database,
  { besideEarlier = false, steps = schemaSteps, unseen = unseenName }: Plan = {},
): Promise<void> {
  const across = database.across()
  const newest = steps.at(-1)?.schema ?? 0
  const servedFrom = steps.findLast(({ kind }) => kind === 'contracts')?.schema ?? 0
  const found = await readSchemaState(database)
  const current = found?.version ?? 0
  if (found !== undefined && current > newest) {
    // It was expanded alone: what was added does not concern this program.
    if (newest >= found.servedFrom) return
    throw new Error(
      `the database has schema ${current}, this version knows ${newest}: start a newer crm-server`,
    )
  }
  const isContracted = current < servedFrom
  if (current > 0 && isContracted && !besideEarlier)
    await assertAlone(connection, database, { schema: servedFrom, unseen })
  const existing = new Set((await connection.listCollections()).map(({ name }) => name))
  if (isContracted) await dropUndeclaredIndexes(connection, existing)
  const waiting = Object.keys(collections) as CollectionName[]
  while (waiting.length > 0) {
    await Promise.all(waiting.splice(0, preparedAtOnce).map((name) => prepare(connection, name, existing)))
    passFaultPoint('during-migration')
  }
  const installation = { $setOnInsert: { row: { id: randomBytes(12).toString('hex') } } }
  await across.upsert('serverState', installationRow, installation)
  for (const { schema, run } of steps) if (current < schema) await run?.(across, database)
  await writeSchemaState(database, { version: newest, servedFrom })
}
