import mongoose from 'mongoose'
import { collections } from '../../src/adapters/mongo/connection/collections.ts'

type Fields = Readonly<Record<string, unknown>>

/** A command as the driver sends it. */
export interface SentCommand {
  name: string
  collection: string
  command: Fields
}

/** The collections that docs/scaling.md shards by `{ tenantId: 1 }`. */
export const shardedCollections: readonly string[] = Object.entries(collections)
  .filter(([, { scope }]) => scope === 'tenant')
  .map(([name]) => name)

/**
 * Returns whether a filter names tenants, so that the router asks their shards alone. A command for one document has to
 * name one tenant: the router does not send it to two shards.
 */
function namesTenants(filter: unknown, { isForOne }: { isForOne: boolean }): boolean {
  const { tenantId, $and } = (filter ?? {}) as { tenantId?: unknown; $and?: unknown[] }
  if (typeof tenantId === 'string') return true
  const { $eq, $in } = (tenantId ?? {}) as { $eq?: unknown; $in?: unknown }
  if (typeof $eq === 'string' || (!isForOne && Array.isArray($in))) return true
  return $and?.some((part) => namesTenants(part, { isForOne })) ?? false
}

/** Returns whether a pipeline begins with its tenants, and reads no other sharded collection without them. */
function pipelineNamesTenants(pipeline: readonly Fields[]): boolean {
  const [first = {}, ...rest] = pipeline
  if (!namesTenants(first['$match'], { isForOne: false })) return false
  return rest.every((stage) => {
    const { $lookup, $graphLookup, $unionWith, $facet } = stage as Record<string, Fields | undefined>
    const inner = [$lookup?.['pipeline'], $unionWith?.['pipeline'], ...Object.values($facet ?? {})]
    const isJoin = $graphLookup !== undefined || ($lookup !== undefined && $lookup['pipeline'] === undefined)
    return (
      !isJoin && inner.every((each) => each === undefined || $facet || pipelineNamesTenants(each as Fields[]))
    )
  })
}

const list = (value: unknown): Fields[] => (Array.isArray(value) ? value : [])

/** Returns whether a command reaches the shards of the tenants that it names, and no other one. */
export function isTargeted({ name, command }: SentCommand): boolean {
  switch (name) {
    case 'find':
      return namesTenants(command['filter'], { isForOne: false })
    case 'count':
    case 'distinct':
      return namesTenants(command['query'], { isForOne: false })
    case 'findAndModify':
      return namesTenants(command['query'], { isForOne: true })
    case 'aggregate':
      return pipelineNamesTenants(list(command['pipeline']))
    case 'insert':
      return list(command['documents']).every(({ tenantId }) => typeof tenantId === 'string')
    case 'update':
      return list(command['updates']).every(({ q, multi }) => namesTenants(q, { isForOne: multi !== true }))
    case 'delete':
      return list(command['deletes']).every(({ q, limit }) => namesTenants(q, { isForOne: limit === 1 }))
    default:
      return true
  }
}

/**
 * Reports the commands that a storage sends on collections that are sharded behind a router. Its address needs
 * `monitorCommands=true`.
 */
export function listenToCommands(report: (sent: SentCommand) => void): void {
  for (const connection of mongoose.connections) {
    if (connection.readyState !== mongoose.ConnectionStates.connected || listening.has(connection)) continue
    listening.add(connection)
    connection.getClient().on('commandStarted', ({ commandName: name, command }) => {
      const collection: unknown = command[name]
      if (typeof collection === 'string' && shardedCollections.includes(collection))
        report({ name, collection, command })
    })
  }
}

const listening = new WeakSet<object>()
