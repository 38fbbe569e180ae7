import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../ports/log.ts'
import { addressGroup } from '../../shared/address-block.ts'
import { clientAddress, type TrustedProxies } from '../credentials/client-address.ts'
import type { ApiHandler } from '../pipeline/mount-operations.ts'
import { unreadReplies } from './unread-replies.ts'

/** Requests of a connection that may wait behind the one that is served. */
export const pipelinedMax = 19

interface Pipeline {
  isBusy: boolean
  waiting: ((mayBegin: boolean) => void)[]
}

const pipelines = new WeakMap<Socket, Pipeline>()

/**
 * Node runs all requests that a client sends without waiting for replies, and keeps the replies until the first one is
 * taken. Here a request begins when the reply before it has left the process, so that a connection holds one reply.
 * Returns whether the request may begin: immediately, or when its slot is free. A connection that sends too far ahead is closed.
 */
function inOrder(req: IncomingMessage, res: ServerResponse): true | Promise<boolean> {
  const { socket } = req
  const pipeline = pipelines.get(socket) ?? openPipeline(socket)
  // One listener for all that a response owes at its end: each costs every request.
  res.on('close', () => {
    unreadReplies.forget(res)
    beginNext(pipeline, socket)
  })
  if (!pipeline.isBusy) {
    pipeline.isBusy = true
    return true
  }
  if (pipeline.waiting.length >= pipelinedMax) socket.destroy()
  if (socket.destroyed) return Promise.resolve(false)
  return new Promise((resolve) => pipeline.waiting.push(resolve))
}

function openPipeline(socket: Socket): Pipeline {
  const pipeline: Pipeline = { isBusy: false, waiting: [] }
  pipelines.set(socket, pipeline)
  socket.once('close', () => {
    for (const resolve of pipeline.waiting.splice(0)) resolve(false)
  })
  return pipeline
}

function beginNext(pipeline: Pipeline, socket: Socket): void {
  // The replies of a lost connection never end: none of its requests may begin.
  if (socket.destroyed) return
  const next = pipeline.waiting.shift()
  if (next === undefined) pipeline.isBusy = false
  else next(true)
}

interface BoundParts {
  log: Log
  trustedProxies: TrustedProxies
}

/** Runs before every route that replies, so that no route has to care for clients that do not read. */
export function boundReplies(api: ApiHandler, { log, trustedProxies }: BoundParts): ApiHandler {
  const addressOf = (req: IncomingMessage) => addressGroup(clientAddress(req, trustedProxies)).name
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
