import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Service } from './compose/service.ts'
import type { MetricsAddress } from './config/config.ts'
import { type Listening, portProblem, urlOf } from './listen.ts'

const path = '/metrics'
/** The version of the text format, as Prometheus names it. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Serves the metrics on a port of their own: without a credential, so only monitoring may reach it. */
export async function listenForMetrics(
  { metrics, log }: Pick<Service, 'metrics' | 'log'>,
  { host, port }: MetricsAddress,
): Promise<Listening> {
  const server = createServer((req, res) => {
    respond(metrics, req, res).catch((err: unknown) => {
      log.error({ err }, 'The metrics could not be made')
      end(res, 500)
    })
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = (error: Error) =>
    reject(new Error(portProblem(error, { host, port, variable: 'CRM_METRICS_PORT' })))
  server.once('error', fail)
  server.listen(port, host, resolve)
  await promise
  return {
    url: `${urlOf(server, { host, port })}${path}`,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond(
  metrics: Service['metrics'],
  { method, url = '' }: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (url.split('?')[0] !== path) return end(res, 404)
  if (method !== 'GET' && method !== 'HEAD') {
    res.setHeader('Allow', 'GET, HEAD')
    return end(res, 405)
  }
  const text = await metrics()
  res.writeHead(200, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(text) }).end(text)
}

function end(res: ServerResponse, status: number): void {
  if (res.headersSent) res.destroy()
  else res.writeHead(status).end()
}
