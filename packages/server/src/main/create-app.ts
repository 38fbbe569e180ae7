import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { apiFirst } from '../http/router.ts'
import type { Service } from './compose/service.ts'

type Served = Pick<Service, 'api' | 'landing' | 'log' | 'router'>

/** Closes the connection of a request that failed outside of the API's own handling: its response may have begun. */
function refuseUnhandled(log: Service['log'], error: unknown, res: ServerResponse): void {
  log.error({ err: error }, 'A request failed outside of its handling')
  res.destroy()
}

/** Returns the Express app that `crm-server start` serves, as a listener. */
export function createListener(service: Served) {
  const app = createApp(service)
  return apiFirst<[]>(service.api, (error, res) => refuseUnhandled(service.log, error, res), app)
}

function createApp({ api, landing, log, router }: Served): Express {
  // The API responds to paths that neither it nor a page has.
  const unknownPath: RequestHandler = (req, res, next) => void api(req, res).catch(next)
  const onError: ErrorRequestHandler = (error, _req, res, _next) => refuseUnhandled(log, error, res)
  return express()
    .disable('x-powered-by')
    .disable('etag')
    .use(router)
    .all('/', landing)
    .use(unknownPath)
    .use(onError)
}

/** Returns the service as a request listener of Node's own server; unknown paths get the service's own 404. */
export function createHandler({ api, landing, log, router }: Served) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const failed = (error: unknown) => refuseUnhandled(log, error, res)
    router(req as never, res as never, (error?: unknown) => {
      if (error !== undefined) failed(error)
      else if (isRoot(req.url)) landing(req as never, res as never, failed)
      else api(req, res).catch(failed)
    })
  }
}

function isRoot(url = ''): boolean {
  return url === '/' || url.startsWith('/?')
}
