import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type NextFunction, type Router } from 'express'
import type { ApiHandler } from './pipeline/mount-operations.ts'

type Handle = (req: IncomingMessage, res: ServerResponse, next: NextFunction) => void

/** Returns whether only the API serves a path. */
export function isApiPath(url = ''): boolean {
  return url.startsWith('/api/')
}

/**
 * The whole service as an Express router that mounts anywhere. The API is its first layer, the pages are ordinary
 * routes, and what is neither goes to `next`. Failures outside of the API's own handling go to `next` too, so the app's
 * error handler sees them.
 */
export function createServiceRouter(api: ApiHandler, pages: Router): Router {
  const router = express.Router().use(pages)
  const throughStack: Handle = Reflect.get(router, 'handle').bind(router)
  const handle: Handle = (req, res, next) => {
    if (isApiPath(req.url)) api(req, res).catch(next)
    else throughStack(req, res, next)
  }
  // Express walks through its stack for each request; asking the first layer before it saves a tenth of the throughput.
  return Object.assign(router, { handle })
}
