import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../../ports/log.ts'
import { addressGroup } from '../../shared/address-block.ts'
import { clientAddress } from '../credentials/client-address.ts'
import type { ApiHandler } from '../pipeline/mount-operations.ts'
import { inOrder } from './pipelines.ts'
import { unreadReplies } from './unread-replies.ts'

interface BoundParts {
  log: Log
  trustProxyHops: number
}

/** Runs before every route that replies, so that no route has to care for clients that do not read. */
export function boundReplies(api: ApiHandler, { log, trustProxyHops }: BoundParts): ApiHandler {
  const addressOf = (req: IncomingMessage) => addressGroup(clientAddress(req, trustProxyHops)).name
  const begin: ApiHandler = (req, res) => {
    unreadReplies.watch({ req, res, addressOf, log })
    return api(req, res)
  }
  const wait = async (req: IncomingMessage, res: ServerResponse, begins: Promise<boolean>) => {
    if (await begins) await begin(req, res)
  }
  return (req, res) => {
    // The server of an app that embeds the service may speak HTTP/2, which has windows and bounds of its own.
    if (req.httpVersionMajor > 1) return api(req, res)
    const begins = inOrder(req, res)
    return begins === true ? begin(req, res) : wait(req, res, begins)
  }
}
