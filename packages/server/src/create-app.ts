import express, { type Express } from 'express'
import type { ApiHandler } from './http/mount-operations.ts'

/** The service as an Express app: to listen on its own, or to be mounted under any path of another app. */
export function createApp(api: ApiHandler): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((req, res, next) => {
    api(req, res).catch(next)
  })
  return app
}
