import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

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
export function inTurn(req: IncomingMessage, res: ServerResponse): true | Promise<boolean> {
  const { socket } = req
  const pipeline = pipelines.get(socket) ?? openPipeline(socket)
  res.on('close', () => beginNext(pipeline, socket))
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
