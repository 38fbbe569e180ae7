import type { RequestListener } from 'node:http'
import type { Service } from './compose/service.ts'

/**
 * The service as a function of Node's own server, which also fits into `app.use(path, …)` of an Express app. Without a
 * framework of its own: what Express does for every request costs a sixth of the throughput, and nothing here needs it.
 */
export function requestListener({ api, log }: Pick<Service, 'api' | 'log'>): RequestListener {
  return (req, res) => {
    api(req, res).catch((error: unknown) => {
      log.error({ err: error }, 'A request could not be answered')
      res.destroy()
    })
  }
}
