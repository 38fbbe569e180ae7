import type { ServerResponse } from 'node:http'
import { type AnyOperation, auditActionsOf, type InputOf } from '@crmkit/core'
import type { Actor } from '../../features/caller.ts'
import {
  type DownloadHandlers,
  downloadHandlers,
  type PollHandlers,
  pollHandlers,
  type StreamHandlers,
  streamHandlers,
} from '../../features/handlers.ts'
import type { DownloadHandler, EventFeed, PollHandler, StreamHandler } from '../../features/stream-handler.ts'
import { isoTime } from '../../shared/clock.ts'
import type { TenantId } from '../../storage/records.ts'
import { replyPace } from '../backpressure/reply-pace.ts'
import { unreadReplies } from '../backpressure/unread-replies.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'
import { sendDownload } from '../response/send-download.ts'
import type { Reply } from '../response/send-reply.ts'
import { credentialOf } from '../streams/open-streams.ts'
import type { ApiParts } from './api-parts.ts'
import { auditWrite } from './audit-write.ts'
import { type Incoming, mountPathOf } from './incoming.ts'
import { assertAudited } from './run-handler.ts'

export type StartResponse = typeof startPoll

/** Returns the function that responds in another way than by the change of a handler: by a stream, a file, or an event that it waits for. */
export function startOf({ id }: AnyOperation): StartResponse | undefined {
  if (id in streamHandlers) return startStream
  if (id in pollHandlers) return startPoll
  return id in downloadHandlers ? startDownload : undefined
}

async function startDownload(
  { storage, services, clock, ids, log, downloads }: ApiParts,
  incoming: Incoming,
  { operation, caller, input }: Accepted,
): Promise<undefined> {
  const handler = downloadHandlers[operation.id as keyof DownloadHandlers] as DownloadHandler<AnyOperation>
  const store = storage.forTenant(caller.tenantId)
  const { req, res } = incoming
  const ctx = {
    store,
    // `authorize` has let only a caller pass that the operation accepts.
    actor: caller.actor as Actor,
    now: isoTime(clock.nowMs()),
    services,
    listMemberships: storage.system.across.memberships.of,
  }
  await downloads.take(credentialOf(caller), res)
  if (res.closed) return
  const download = await handler(ctx, input)
  // A download changes nothing: an operation that declares an audit entry writes it each time.
  const endpoint = { operation, auditActions: auditActionsOf(operation) }
  assertAudited(endpoint, { isChange: 'audit' in operation, audit: download.audit })
  if (download.audit !== undefined && req.method !== 'HEAD') {
    const { tenantId } = caller
    const entry = auditWrite({ ...ctx, ids, tenantId, requestId: incoming.requestId }, download.audit)
    await store.commit({ writes: [entry], events: [] })
  }
  await sendDownload({ req, res, download, about: incoming, log })
}

interface Accepted {
  operation: AnyOperation
  caller: Authenticated
  input: InputOf<AnyOperation>
}

async function startStream(
  parts: ApiParts,
  incoming: Incoming,
  { operation, caller, input }: Accepted,
): Promise<undefined> {
  const { storage, streams } = parts
  const { req, res } = incoming
  const open = streamHandlers[operation.id as keyof StreamHandlers] as StreamHandler<AnyOperation>
  const lastEventId = req.headers['last-event-id']
  const store = storage.forTenant(caller.tenantId)
  await streams.serve({
    req,
    res,
    caller,
    address: incoming.address,
    auth: operation.auth,
    about: incoming,
    open: async () => {
      const mountPath = mountPathOf(parts, req)
      const actor = caller.actor as Actor
      const feed = await open({ store, actor, mountPath, lastEventId: [lastEventId].flat()[0] }, input)
      return paced(feed, () => mayReplyAtLength(res, caller.tenantId))
    },
  })
}

/** Responds as soon as there is an event, or when the time of the request is over. */
async function startPoll(
  parts: ApiParts,
  incoming: Incoming,
  { operation, caller, input }: Accepted,
): Promise<Reply | undefined> {
  const { storage, streams } = parts
  const { req, res } = incoming
  const open = pollHandlers[operation.id as keyof PollHandlers] as unknown as PollHandler<AnyOperation>
  const store = storage.forTenant(caller.tenantId)
  const actor = caller.actor as Actor
  const mountPath = mountPathOf(parts, req)
  const poll = await open({ store, actor, mountPath, lastEventId: undefined }, input)
  // Its reply is made when there is an event, perhaps in half a minute: nothing waits for it until then.
  unreadReplies.noteHeld(res, 0)
  const asked = { req, res, caller, address: incoming.address, auth: operation.auth, poll }
  const events = await streams.waitFor(asked)
  const body = JSON.stringify(operation.response.parse(poll.reply(events)))
  return { status: operation.status, body }
}

/** Many streams that catch up read a page each: as large as any other reply. */
function paced(feed: EventFeed, mayRead: () => Promise<void>): EventFeed {
  return {
    ...feed,
    async read(from) {
      await mayRead()
      return feed.read(from)
    },
  }
}

/** Waits until a reply without a bound of its size may be made. */
export async function mayReplyAtLength(res: ServerResponse, tenantId: TenantId): Promise<void> {
  await replyPace.slot(tenantId)
  await unreadReplies.capacity(res, tenantId)
}
