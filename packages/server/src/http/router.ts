import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type NextFunction, type RequestHandler, type Router } from 'express'
import type { ApiHandler } from './pipeline/mount-operations.ts'

interface Pages {
  pages: Router
  landing: RequestHandler
}

type Handle = (req: IncomingMessage, res: ServerResponse, next: NextFunction) => void

/**
 * Returns a listener that serves the paths of the API itself and leaves the others to an Express app or router. Express
 * prepares each request and walks through its stack, which would cost a request of the API a tenth of its time.
 */
export function apiFirst<Next extends unknown[]>(
  api: ApiHandler,
  failed: (error: unknown, res: ServerResponse, ...next: Next) => void,
  others: (req: IncomingMessage, res: ServerResponse, ...next: Next) => void,
) {
  return (req: IncomingMessage, res: ServerResponse, ...next: Next): void => {
    if (req.url?.startsWith('/api/')) api(req, res).catch((error) => failed(error, res, ...next))
    else others(req, res, ...next)
  }
}

/** Serves the doors by their paths, and everything else as an operation. A path with a slash at its end is a prefix. */
export function serveByPath(operations: ApiHandler, doors: Readonly<Record<string, ApiHandler>>): ApiHandler {
  const paths = Object.entries(doors)
  return (req, res) => {
    const { url = '' } = req
    for (const [path, serve] of paths) if (url.startsWith(path) && isWhole(path, url)) return serve(req, res)
    return operations(req, res)
  }
}

function isWhole(path: string, url: string): boolean {
  return path.endsWith('/') || url.length === path.length || url[path.length] === '?'
}

/**
 * The whole service as an Express router that mounts anywhere. The API is its first layer, the pages are ordinary
 * routes, and every other request is passed to `next`. Failures outside of the API's own handling are passed to
 * `next` too, so the app's error handler sees them.
 */
export function createServiceRouter(api: ApiHandler, { pages, landing }: Pages): Router {
  // Mounted without a path, `/` belongs to the app.
  const atMountPath: RequestHandler = (req, res, next) => (req.baseUrl ? landing(req, res, next) : next())
  const router = express.Router().use(pages).all('/', atMountPath)
  const throughStack: Handle = Reflect.get(router, 'handle').bind(router)
  const handle = apiFirst<[NextFunction]>(api, (error, _res, next) => next(error), throughStack)
  return Object.assign(router, { handle })
}
