import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { DeliveryErrorCode } from '@crmkit/core'
import type { SenderRequest, SenderResult } from '../../ports/http-sender.ts'
import { describeFailure } from './describe-failure.ts'
import { hostOf } from './destination-guard.ts'
import { type Dial, DialRefused, type GuardedHttpAgent, type GuardedHttpsAgent } from './guarded-agents.ts'
import { retryAfterMs } from './retry-after.ts'

export interface Agents {
  http: GuardedHttpAgent
  https: GuardedHttpsAgent
}

const bodyBytesMax = 64 * 1024
const sentWaitMs = 50
// The errors of a reused connection that the receiver closed while it was idle.
const staleCodes = new Set(['ECONNRESET', 'EPIPE'])
// A closed connection is reset within one round trip. One that is reset later may belong to a receiver that has the request.
const staleWithinMs = 500
// HTTP gives it no body, so it is complete with its head, whatever bytes follow.
const noContent = 204

/** One POST, from name resolution to the last byte of the response. */
export class Exchange {
  readonly #agents: Agents
  readonly #request: SenderRequest
  readonly #url: URL
  readonly #startedAt = performance.now()
  readonly #timings: Omit<SenderResult['timings'], 'total'> = {
    dns: null,
    connect: null,
    tls: null,
    firstByte: null,
  }
  #client: ClientRequest | undefined
  #timer: NodeJS.Timeout | undefined
  #resolve: (result: SenderResult) => void = () => undefined
  #isOver = false
  #isComplete = false
  #isSecondTry = false
  #sentAtMs = 0
  #remoteAddress: string | null = null
  #statusCode: number | null = null
  #retryAfterMs: number | null = null

  constructor(agents: Agents, request: SenderRequest) {
    this.#agents = agents
    this.#request = request
    this.#url = new URL(request.url)
  }

  run(): Promise<SenderResult> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#timer = setTimeout(() => this.#end('TIMEOUT'), this.#request.timeoutMs)
      try {
        this.#send()
      } catch (error) {
        this.#end('CONNECT', error as Error)
      }
    })
  }

  #send(): void {
    const isTls = this.#url.protocol === 'https:'
    const options = {
      method: 'POST',
      host: hostOf(this.#url),
      port: this.#url.port,
      path: this.#url.pathname + this.#url.search,
      headers: this.#request.headers,
      agent: this.#agent(),
      dial: this.#dial(),
    }
    const client = (isTls ? https : http).request(options)
    this.#client = client
    client.once('socket', (socket) => this.#watchConnection(client, socket))
    client.once('response', (response) => this.#read(response))
    client.once('upgrade', (response) => {
      this.#noteResponse(response)
      this.#end()
    })
    client.on('error', (error) => this.#onError(client, error))
    client.end(this.#request.body)
    this.#sentAtMs = this.#elapsedMs()
  }

  #agent(): GuardedHttpAgent | GuardedHttpsAgent {
    return this.#url.protocol === 'https:' ? this.#agents.https : this.#agents.http
  }

  #dial(): Dial {
    return {
      tenantId: this.#request.tenantId,
      url: this.#url,
      isOver: () => this.#isOver,
      onResolved: () => {
        this.#timings.dns = this.#elapsedMs()
      },
    }
  }

  #watchConnection(client: ClientRequest, socket: Socket): void {
    if (client.reusedSocket) {
      this.#remoteAddress = socket.remoteAddress ?? null
      return
    }
    socket.once('connect', () => {
      this.#timings.connect = this.#elapsedMs()
      this.#remoteAddress = socket.remoteAddress ?? null
    })
    socket.once('secureConnect', () => {
      this.#timings.tls = this.#elapsedMs()
    })
  }

  #noteResponse(response: IncomingMessage): void {
    this.#timings.firstByte = this.#elapsedMs()
    this.#statusCode = statusCodeOf(response)
    this.#retryAfterMs = retryAfterMs(response)
  }

  #read(response: IncomingMessage): void {
    this.#noteResponse(response)
    if (this.#statusCode === null) {
      this.#end('BODY')
      return
    }
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bodyBytesMax) this.#end()
    })
    response.once('end', () => {
      this.#isComplete = true
      this.#end()
      this.#closeUnlessSent()
    })
    response.once('error', (error) => this.#end('BODY', error))
  }

  /**
   * Closes the connection of a response that came before the request was sent: the connection would stay half-sent
   * permanently. Waits a moment, because Node may report the response in an earlier tick than the request's last byte.
   */
  #closeUnlessSent(): void {
    const client = this.#client
    if (client === undefined || client.writableFinished) return
    const timer = setTimeout(() => client.destroy(), sentWaitMs)
    client.once('finish', () => clearTimeout(timer))
    client.once('close', () => clearTimeout(timer))
  }

  #onError(client: ClientRequest, error: NodeJS.ErrnoException): void {
    if (this.#isOver) return
    if (this.#statusCode === noContent) {
      this.#end()
      return
    }
    const isStale = client.reusedSocket && this.#statusCode === null && staleCodes.has(error.code ?? '')
    if (!isStale || this.#isSecondTry || this.#elapsedMs() - this.#sentAtMs > staleWithinMs) {
      this.#end(this.#codeOf(client, error), error)
      return
    }
    this.#isSecondTry = true
    // The other idle connections of the pool are as old: the second try must not use another stale one.
    this.#agent().closeIdle(this.#dial())
    this.#send()
  }

  #codeOf(client: ClientRequest, error: NodeJS.ErrnoException): DeliveryErrorCode {
    if (error instanceof DialRefused) return error.errorCode
    if (this.#statusCode !== null || error.code?.startsWith('HPE_')) return 'BODY'
    // With TLS 1.3 a receiver refuses the client's certificate only after the handshake.
    if (error.code?.startsWith('ERR_SSL_')) return 'TLS'
    const isHandshake =
      this.#url.protocol === 'https:' && this.#timings.connect !== null && this.#timings.tls === null
    return isHandshake && !client.reusedSocket ? 'TLS' : 'CONNECT'
  }

  #elapsedMs(): number {
    return Math.round((performance.now() - this.#startedAt) * 10) / 10
  }

  /** Settles the exchange; all later events are ignored. Without a code the status decides. */
  #end(failure?: DeliveryErrorCode, cause?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    if (!this.#isComplete) this.#client?.destroy()
    const statusCode = this.#statusCode
    const errorCode = failure ?? errorCodeOfStatus(statusCode ?? 0)
    this.#resolve({
      statusCode,
      errorCode,
      error:
        errorCode && describeFailure(errorCode, { statusCode, cause, timeoutMs: this.#request.timeoutMs }),
      timings: { ...this.#timings, total: this.#elapsedMs() },
      remoteAddress: this.#remoteAddress,
      retryAfterMs: this.#retryAfterMs,
    })
  }
}

/** Node reads any three digits; HTTP has no status below 100 or above 599. */
function statusCodeOf({ statusCode = 0 }: IncomingMessage): number | null {
  return statusCode >= 100 && statusCode <= 599 ? statusCode : null
}

function errorCodeOfStatus(statusCode: number): DeliveryErrorCode | null {
  if (statusCode >= 200 && statusCode < 300) return null
  return statusCode >= 300 && statusCode < 400 ? 'REDIRECT' : 'STATUS'
}
