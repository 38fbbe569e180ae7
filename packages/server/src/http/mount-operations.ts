import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnyOperation, Failure, notFound } from '@crmkit/core'
import type { Logger } from 'pino'
import type { Authenticated, Authenticator } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { clientAddress } from './client-address.ts'
import { replyToError } from './handle-error.ts'
import { parseInput } from './parse-input.ts'
import { readBody } from './read-body.ts'
import type { KeyUseRecorder } from './record-key-use.ts'
import { createRouteTable, type RouteMatch } from './route-table.ts'
import { type RunParts, runHandler } from './run-handler.ts'
import { type Reply, sendReply } from './send-reply.ts'

export interface ApiParts extends RunParts {
  /** What this process serves; everything else is unknown to it. */
  operations: readonly AnyOperation[]
  authenticator: Authenticator
  log: Logger
  trustProxyHops: number
  keyUses: Pick<KeyUseRecorder, 'record'>
}

export type ApiHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/

/**
 * Serves every declared operation. One function for the whole API, with its own route table: a framework
 * that tries its routes one by one costs half of the throughput.
 */
export function mountOperations(parts: ApiParts): ApiHandler {
  const match = createRouteTable(parts.operations)
  return async (req, res) => {
    const given = req.headers['x-request-id']
    const requestId = typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID()
    const url = req.url ?? '/'
    const questionMark = url.indexOf('?')
    const path = questionMark < 0 ? url : url.slice(0, questionMark)
    const search = questionMark < 0 ? '' : url.slice(questionMark + 1)
    const route = match(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
    let reply: Reply
    try {
      reply = await handle(parts, { req, route, search, requestId })
    } catch (error) {
      reply = replyToError(error, { requestId, log: parts.log })
    }
    sendReply(res, reply, { requestId, isLegacy: route?.isLegacy ?? false })
  }
}

interface Incoming {
  req: IncomingMessage
  route: RouteMatch | undefined
  search: string
  requestId: string
}

/** The order of checks is the contract's: version, route, credential, permission, body, validation, then the work. */
async function handle(parts: ApiParts, { req, route, search, requestId }: Incoming): Promise<Reply> {
  const version = req.headers['x-api-version']
  if (version !== undefined && version !== 'v1') {
    throw new Failure('UNSUPPORTED_VERSION', 'The only version of this API is v1')
  }
  const operation = operationOf(route, req.method)
  const { auth } = operation
  let caller: Authenticated | undefined
  if (auth.kind !== 'none') {
    const authenticated = parts.authenticator.authenticate(req)
    // Mostly known already; waiting for what is there would cost a turn for every request.
    caller = authenticated instanceof Promise ? await authenticated : authenticated
    authorize(auth, caller.actor, clientAddress(req, parts.trustProxyHops))
    parts.keyUses.record(caller)
  }
  const body = operation.method === 'GET' ? {} : await readBody(req)
  const input = parseInput(operation, { params: route?.params ?? {}, search, body })
  const idempotencyKey = req.headers['idempotency-key']
  return runHandler(parts, { operation, caller, input, path: route?.path ?? '', requestId, idempotencyKey })
}

function operationOf(route: RouteMatch | undefined, method = 'GET') {
  if (route === undefined) throw notFound()
  const operation = route.operations.get(method === 'HEAD' ? 'GET' : method)
  if (operation === undefined) {
    const allowed = [...route.operations.keys()].join(', ')
    throw new Failure('METHOD_NOT_ALLOWED', `This path takes ${allowed}`, { headers: { Allow: allowed } })
  }
  return operation
}
