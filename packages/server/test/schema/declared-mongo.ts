import type mongoose from 'mongoose'
import {
  type CollectionName,
  collections,
  type IndexRule,
} from '../../src/adapters/mongo/connection/collections.ts'
import { storedKinds } from '../../src/storage/kinds/derive.ts'
import { fileOfKind } from '../contracts/storage/derived-row.contract.ts'

/* How the indexes of a MongoDB database differ from the declared ones. */

const migrateFile = 'packages/server/src/adapters/mongo/connection/migrate.ts'
const collectionsFile = 'packages/server/src/adapters/mongo/connection/collections.ts'

interface RealIndex {
  name?: string
  key: Record<string, unknown>
  unique?: boolean
  partialFilterExpression?: unknown
}

function textOf(index: Omit<RealIndex, 'name'>): string {
  const only = index.partialFilterExpression
  const where = only === undefined ? '' : ` where ${JSON.stringify(only)}`
  return `${index.unique ? 'unique ' : ''}(${Object.keys(index.key).join(', ')})${where}`
}

function declaredIndex({ fields, isUnique, only }: IndexRule): Omit<RealIndex, 'name'> {
  return {
    key: Object.fromEntries(fields.map((field) => [field, 1])),
    ...(isUnique && { unique: true }),
    ...(only && { partialFilterExpression: only }),
  }
}

/** The file that declares the indexes of a collection. */
function fileOfCollection(name: string): string {
  return storedKinds.some((kind) => kind === name) ? fileOfKind(name) : collectionsFile
}

function problemsOf(name: CollectionName, real: readonly RealIndex[]): string[] {
  const { scope, indexes } = collections[name]
  const found = new Map(real.map((index) => [index.name ?? '', textOf(index)]))
  const wanted = new Map(Object.entries(indexes).map(([index, rule]) => [index, textOf(declaredIndex(rule))]))
  const file = fileOfCollection(name)
  const missing = [...wanted].filter(([index, text]) => found.get(index) !== text)
  const undeclared = [...found].filter(([index]) => index !== '_id_' && !wanted.has(index))
  const unbound = real.filter(({ key }) => scope === 'tenant' && Object.keys(key)[0] !== 'tenantId')
  return [
    ...missing.map(
      ([index, text]) =>
        `${name}: there is no index ${index} ${text}, which ${file} declares: raise schemaVersion in ${migrateFile}`,
    ),
    ...undeclared.map(
      ([index, text]) =>
        `${name}: nothing in ${file} needs the index ${index} ${text}: raise schemaVersion in ${migrateFile}, so that it is dropped`,
    ),
    ...unbound
      .filter((index) => index.name !== '_id_')
      .map((index) => `${name}: the index ${index.name} must begin with tenantId: change ${file}`),
  ]
}

/** Returns how the collections and their indexes differ from the declared ones, each with the file to change. */
export async function indexProblems(connection: mongoose.Connection): Promise<string[]> {
  const names = (await connection.listCollections()).map(({ name }) => name)
  const unknown = names.filter((name) => !Object.hasOwn(collections, name))
  const known = Object.keys(collections) as CollectionName[]
  const problems = known.map(async (name) => {
    if (!names.includes(name)) return [`There is no collection ${name}: make it in ${migrateFile}`]
    return problemsOf(name, (await connection.collection(name).indexes()) as RealIndex[])
  })
  return [
    ...unknown.map((name) => `Nothing declares the collection ${name}: change ${collectionsFile}`),
    ...(await Promise.all(problems)).flat(),
  ]
}
