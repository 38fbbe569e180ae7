import { hash } from 'node:crypto'
import { conflict, Failure, type Operation, validationFailure } from '@crmkit/core'
import type { Caller } from '../../features/caller.ts'
import type { Change, Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { IdempotencyRecord } from '../../storage/kinds/idempotency.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { TenantId } from '../../storage/records.ts'
import { idOfWrite } from '../../storage/rules/id-of-write.ts'
import type { Reply } from '../response/send-reply.ts'

const keptMs = 24 * 3600 * 1000
const keyLengthMax = 255

/** The one request that an `Idempotency-Key` stands for. */
export interface IdempotentRequest {
  id: string
  tenantId: TenantId
  /** The user or the key that sent it. */
  actorId: string
  bodyHash: string
  holdsSecret: boolean
}

interface Asked {
  operation: Operation
  header: string | string[] | undefined
  tenantId: TenantId
  actor: Caller
  path: string
  body: unknown
}

/** Undefined when the request does not ask for idempotency or its operation has none. */
export function idempotentRequest({
  operation,
  header,
  tenantId,
  actor,
  path,
  body,
}: Asked): IdempotentRequest | undefined {
  if (header === undefined || operation.method !== 'POST' || operation.idempotency === 'never')
    return undefined
  if (typeof header !== 'string' || header.length < 1 || header.length > keyLengthMax) {
    const message = `must be 1 to ${keyLengthMax} characters long`
    throw validationFailure([{ field: 'Idempotency-Key', message, rule: 'length', in: 'header' }])
  }
  return {
    id: hash('sha256', JSON.stringify([actor.type, actor._id, path, header])),
    tenantId,
    actorId: actor._id,
    bodyHash: hash('sha256', JSON.stringify(body)),
    holdsSecret: operation.idempotency === 'secret',
  }
}

/** Requests that this process is working on. */
export class RunningRequests {
  readonly #running = new Set<string>()

  /** Throws IDEMPOTENCY_IN_PROGRESS while the same request runs; the returned function ends it. */
  begin(request: IdempotentRequest): () => void {
    const key = `${request.tenantId} ${request.id}`
    if (this.#running.has(key)) {
      throw new Failure(
        'IDEMPOTENCY_IN_PROGRESS',
        'A request with this Idempotency-Key is still being worked on',
        {
          headers: { 'Retry-After': '1' },
        },
      )
    }
    this.#running.add(key)
    return () => this.#running.delete(key)
  }
}

/**
 * The stored reply of an earlier run, if there is one. Throws IDEMPOTENCY_KEY_REUSED for another body, and
 * CONFLICT with the id where the reply held a secret that is shown only once.
 */
export function replayOf(
  record: IdempotencyRecord | undefined,
  request: IdempotentRequest,
  now: string,
): Reply | undefined {
  if (record === undefined || record.expiresAt <= now) return undefined
  if (record.bodyHash !== request.bodyHash) {
    throw new Failure('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another body')
  }
  if (record.reply === null) {
    throw conflict('This was done already; its secret was shown once', { _id: record.resourceId })
  }
  return { status: record.status, body: record.reply, headers: { 'Idempotency-Replayed': 'true' } }
}

interface Finished {
  request: IdempotentRequest
  store: TenantReads
  reply: Reply
  change: Change<Kind>
  now: string
}

/** The writes that keep a reply, to ride in the operation's own commit. */
export async function idempotencyWrites({ request, store, reply, change, now }: Finished): Promise<Write[]> {
  const resourceId = resourceIdOf(reply.body)
  const stale = await store.idempotency.find(request.id)
  const row: IdempotencyRecord = {
    _id: request.id,
    tenantId: request.tenantId,
    bodyHash: request.bodyHash,
    status: reply.status,
    reply: request.holdsSecret ? null : reply.body,
    resourceId: request.holdsSecret ? resourceId : null,
    // The reply may name the caller, for example as the sender of a note.
    subjects: [...new Set([...subjectsOf(change, resourceId), request.actorId])],
    createdAt: now,
    expiresAt: new Date(Date.parse(now) + keptMs).toISOString(),
  }
  const insert: Write = { op: 'insert', kind: 'idempotency', row }
  // A record that has expired but was not removed yet is replaced.
  return stale && stale.expiresAt <= now ? [removalOf('idempotency', stale), insert] : [insert]
}

function resourceIdOf(body: string): string | null {
  const reply: { data?: { _id?: string } } = JSON.parse(body)
  return reply.data?._id ?? null
}

/** Also the resource of the response: a repeated message changes nothing and is shown anyway. */
function subjectsOf(change: Change<Kind>, resourceId: string | null): string[] {
  const written = change.writes.map(idOfWrite)
  const inEvents = change.events.flatMap((event) => event.subjects)
  return [...new Set([...written, ...inEvents, ...(resourceId === null ? [] : [resourceId])])]
}
