import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { SourceFailure } from '../../ports/connector.ts'
import type {
  ConnectorHosts,
  ConnectorHttp,
  SourceRequest,
  SourceResponse,
} from '../../ports/connector-http.ts'
import { createDestinationGuard, hostOf } from './destination-guard.ts'
import { GuardedHttpAgent, GuardedHttpsAgent } from './guarded-agents.ts'
import { createHostResolver, type ResolveHost } from './resolve-host.ts'
import { retryAfterMs } from './retry-after.ts'
import { createTrustedCa } from './trusted-ca.ts'

interface SourceHttpOptions {
  hosts: Pick<ConnectorHosts, 'isNamed'>
  /** PEM file; trusted for the named hosts only. */
  caFile?: string | undefined
  resolveHost?: ResolveHost
  timeoutMs?: number
  bodyBytesMax?: number
}

type Agents = ReturnType<typeof openAgents>

/** Vendors' hosts must resolve to public addresses; a host that the operator names may have any but a metadata one. */
export function createConnectorHttp({ hosts, caFile, ...rest }: SourceHttpOptions): ConnectorHttp {
  const { resolveHost = createHostResolver(), timeoutMs = 30_000, bodyBytesMax = 64 * 1024 * 1024 } = rest
  const open = openAgents({ resolveHost, caFiles: [], allowCidrs: [] })
  const named = openAgents({
    resolveHost,
    caFiles: caFile === undefined ? [] : [caFile],
    allowCidrs: ['0.0.0.0/0', '::/0'],
  })
  return {
    send: async (request) => {
      const url = new URL(request.url)
      const agents = hosts.isNamed(url) ? named : open
      // A named host alone may speak plain http.
      if (url.protocol === 'http:' && agents === open)
        throw new SourceFailure('fatal', 'The address is not allowed')
      return exchange(request, { url, agents, timeoutMs, bodyBytesMax })
    },
    close: async () => {
      for (const { http, https } of [open, named]) {
        http.destroy()
        https.destroy()
      }
    },
  }
}

interface AgentOptions {
  resolveHost: ResolveHost
  caFiles: readonly string[]
  allowCidrs: readonly string[]
}

function openAgents({ resolveHost, caFiles, allowCidrs }: AgentOptions) {
  const guard = createDestinationGuard({ allowCidrs, allowHttp: true })
  const dialling = { guard, resolveHost, trustedCa: createTrustedCa(caFiles) }
  return { http: new GuardedHttpAgent(dialling), https: new GuardedHttpsAgent(dialling) }
}

interface ExchangeOptions {
  url: URL
  agents: Agents
  timeoutMs: number
  bodyBytesMax: number
}

const staleCodes = new Set(['ECONNRESET', 'EPIPE'])
const failed = (message: string) => new SourceFailure('transient', message)

async function exchange(request: SourceRequest, options: ExchangeOptions): Promise<SourceResponse> {
  request.signal.throwIfAborted()
  const late = AbortSignal.timeout(options.timeoutMs)
  const signal = AbortSignal.any([request.signal, late])
  try {
    return await sendOnce(request, { ...options, signal }).catch((error: unknown) => {
      if (!(error instanceof StaleConnection)) throw error
      return sendOnce(request, { ...options, signal })
    })
  } catch (error) {
    request.signal.throwIfAborted()
    if (error instanceof SourceFailure) throw error
    throw failed(late.aborted ? 'The source did not respond in time' : 'The connection to the source failed')
  }
}

/** The source closed an idle connection that was used again: the request was not read. */
class StaleConnection extends Error {}

function sendOnce(
  { tenantId, method, headers, body, asText }: SourceRequest,
  { url, agents, bodyBytesMax, signal }: ExchangeOptions & { signal: AbortSignal },
): Promise<SourceResponse> {
  return new Promise((resolve, reject) => {
    const isTls = url.protocol === 'https:'
    const options = {
      method,
      host: hostOf(url),
      port: url.port,
      path: url.pathname + url.search,
      headers: { Accept: 'application/json', 'Accept-Encoding': 'identity', ...headers },
      agent: isTls ? agents.https : agents.http,
      dial: { tenantId, url, isOver: () => signal.aborted, onResolved: () => undefined },
      signal,
    }
    const client: ClientRequest = (isTls ? https : http).request(options)
    client.once('response', (response) => {
      readBody(response, bodyBytesMax)
        .then((text) => resolve(responseOf(response, { text, asText: asText === true })))
        .catch(reject)
        // Ends the connection of a body that was not read to its end.
        .finally(() => response.complete || client.destroy())
    })
    client.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = client.reusedSocket && staleCodes.has(error.code ?? '')
      reject(isStale ? new StaleConnection() : error)
    })
    client.end(body)
  })
}

async function readBody(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length
    if (bytes > bytesMax) throw failed('The response of the source is too large')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function responseOf(
  response: IncomingMessage,
  { text, asText }: { text: string; asText: boolean },
): SourceResponse {
  const { statusCode: status = 0, headers } = response
  if (status >= 300 && status < 400 && status !== 304) throw failed('The source sent a redirect')
  const json = asText ? text : parseJson(text)
  const isSuccess = status >= 200 && status < 300
  if (isSuccess && text.trim() !== '' && json === undefined) {
    throw failed('The source sent a body that is not JSON')
  }
  const date = Date.parse(headers.date ?? '')
  return {
    status,
    json,
    date: Number.isNaN(date) ? null : new Date(date).toISOString(),
    retryAfterMs: retryAfterMs(response),
    header: (name) => [headers[name.toLowerCase()]].flat()[0] ?? null,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
