import type { IncomingMessage } from 'node:http'

/** A user in whose name the app that embeds the service sends requests. */
export interface InProcessCaller {
  tenantId: string
  /** Undefined: the first active owner of the tenant. */
  userId: string | undefined
}

/**
 * The callers of connections that the app has made inside this process. Nothing of a request decides it, so that no
 * request from outside can claim to be one.
 */
const callers = new WeakMap<object, InProcessCaller>()

/** Declares that all requests of this connection come from the app itself. */
export function trustConnection(connection: object, caller: InProcessCaller): void {
  callers.set(connection, caller)
}

export function inProcessCallerOf(req: IncomingMessage): InProcessCaller | undefined {
  return callers.get(req.socket)
}
