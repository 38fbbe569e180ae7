import type { IncomingMessage } from 'node:http'
import type { Log } from '../../ports/log.ts'
import { addressGroup } from '../../shared/address-block.ts'
import { clientAddress } from '../credentials/client-address.ts'
import type { ApiHandler } from '../pipeline/mount-operations.ts'
import { inTurn } from './pipelines.ts'
import { unreadReplies } from './unread-replies.ts'

interface BoundParts {
  log: Log
  trustProxyHops: number
}

/** Stands before everything that replies, so that no route has to care for clients that do not read. */
export function boundReplies(api: ApiHandler, { log, trustProxyHops }: BoundParts): ApiHandler {
  const addressOf = (req: IncomingMessage) => addressGroup(clientAddress(req, trustProxyHops)).name
  return async (req, res) => {
    // The server of an app that embeds the service may speak HTTP/2, which has windows and bounds of its own.
    if (req.httpVersionMajor > 1) return api(req, res)
    const turn = inTurn(req, res)
    if (turn !== true && !(await turn)) return
    unreadReplies.watch({ req, res, addressOf, log })
    return api(req, res)
  }
}
