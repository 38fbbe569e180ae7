import { Agent, request } from 'node:http'

export interface Asked {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  headers?: Record<string, string>
}

/**
 * The outcome as a caller knows it. `unknown`: the connection broke after the request was sent, or no response came;
 * the change may or may not be stored. `unsent`: no server listened.
 */
export type Outcome =
  | { kind: 'response'; status: number; retryAfter: string | undefined; body: ReplyBody }
  | { kind: 'unknown' }
  | { kind: 'unsent' }

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape
export type ReplyBody = any

const responseTimeoutMs = 30_000

/** One kept-alive connection with one request at a time, as a small client would have it. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #token: string
  constructor(token: string) {
    this.#token = token
  }

  ask(url: string, { method, path, body, headers = {} }: Asked): Promise<Outcome> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const sent = request(
      url + path,
      {
        method,
        agent: this.#agent,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (response) => {
        let reply = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          reply += chunk
        })
        response.on('error', () => resolve({ kind: 'unknown' }))
        response.on('end', () => {
          const { statusCode: status = 0 } = response
          const retryAfter = response.headers['retry-after']
          resolve({
            kind: 'response',
            status,
            retryAfter,
            body: reply === '' ? undefined : JSON.parse(reply),
          })
        })
      },
    )
    sent.setTimeout(responseTimeoutMs, () => sent.destroy())
    sent.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ kind: error.code === 'ECONNREFUSED' ? 'unsent' : 'unknown' })
    })
    sent.end(text)
    return promise
  }

  close(): void {
    this.#agent.destroy()
  }
}
