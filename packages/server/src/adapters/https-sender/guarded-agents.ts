import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContext } from 'node:tls'
import { type DestinationGuard, hostOf, isLocalhost } from './destination-guard.ts'
import type { ResolveHost } from './resolve-host.ts'
import type { TrustedCa } from './trusted-ca.ts'

/** The reason why no connection was begun. */
export class DialRefused extends Error {
  override readonly name = 'DialRefused'
  readonly errorCode: 'DNS' | 'BLOCKED'
  constructor(errorCode: 'DNS' | 'BLOCKED', cause?: unknown) {
    super(errorCode, { cause })
    this.errorCode = errorCode
  }
}

/** The data and callbacks of one attempt that opening its connection needs. */
export interface Dial {
  tenantId: string
  url: URL
  isOver(): boolean
  onResolved(): void
}

type DialOptions = https.RequestOptions & { dial: Dial }
type OnSocket = (error: Error | null, socket: Duplex) => void

interface Dialling {
  guard: DestinationGuard
  resolveHost: ResolveHost
  trustedCa: TrustedCa
}

// With more connections than this, idle ones are closed, so that many receivers cannot use up the process's
// file descriptors.
const socketsMax = 1024
const agentOptions = { keepAlive: true, maxFreeSockets: 256, timeout: 30_000, scheduling: 'lifo' as const }

export class GuardedHttpsAgent extends https.Agent {
  readonly #dialling: Dialling
  constructor(dialling: Dialling) {
    super(agentOptions)
    this.#dialling = dialling
  }
  override getName(options?: https.RequestOptions): string {
    return poolName(options as DialOptions)
  }
  override createConnection(options: https.RequestOptions, callback?: OnSocket): undefined {
    const connect = (checked: Checked) => super.createConnection({ ...options, ...checked }) as Duplex
    dial(this.#dialling, options as DialOptions, { connect, callback })
  }
  // Node reads a boolean here; its declared type says void.
  override keepSocketAlive(socket: Duplex): boolean {
    return (super.keepSocketAlive(socket) as unknown) !== false && hasSpareSockets(this)
  }
  /** Closes the kept connections of one tenant and origin. */
  closeIdle(dial: Dial): void {
    for (const socket of this.freeSockets[poolName({ dial })] ?? []) socket.destroy()
  }
}

export class GuardedHttpAgent extends http.Agent {
  readonly #dialling: Dialling
  constructor(dialling: Dialling) {
    super(agentOptions)
    this.#dialling = dialling
  }
  override getName(options?: http.RequestOptions): string {
    return poolName(options as DialOptions)
  }
  override createConnection(options: http.ClientRequestArgs, callback?: OnSocket): undefined {
    const connect = ({ lookup }: Checked) => super.createConnection({ ...options, lookup }) as Duplex
    dial(this.#dialling, options as DialOptions, { connect, callback })
  }
  // Node reads a boolean here; its declared type says void.
  override keepSocketAlive(socket: Duplex): boolean {
    return (super.keepSocketAlive(socket) as unknown) !== false && hasSpareSockets(this)
  }
  /** Closes the kept connections of one tenant and origin. */
  closeIdle(dial: Dial): void {
    for (const socket of this.freeSockets[poolName({ dial })] ?? []) socket.destroy()
  }
}

/** Connections are shared within one tenant and origin only. */
function poolName({ dial }: Pick<DialOptions, 'dial'>): string {
  return `${dial.tenantId} ${dial.url.origin}`
}

function hasSpareSockets(agent: http.Agent): boolean {
  const { totalSocketCount } = agent as unknown as { totalSocketCount: number }
  return totalSocketCount <= socketsMax
}

interface Checked {
  lookup: LookupFunction
  secureContext: SecureContext
  servername: string
}

interface Connecting {
  connect(checked: Checked): Duplex
  callback: OnSocket | undefined
}

function dial(dialling: Dialling, { dial }: DialOptions, { connect, callback }: Connecting): void {
  const done = callback as (error: Error | null, socket?: Duplex) => void
  checkAddresses(dialling, dial).then(
    (checked) => {
      if (dial.isOver()) done(new DialRefused('DNS'))
      else done(null, connect(checked))
    },
    (error: Error) => done(error),
  )
}

/** Resolves the host, checks that every address is allowed, and pins the connection to these addresses. */
async function checkAddresses({ guard, resolveHost, trustedCa }: Dialling, dial: Dial): Promise<Checked> {
  const host = hostOf(dial.url)
  const resolved = await resolveHost(host).catch((error: unknown) => {
    throw new DialRefused('DNS', error)
  })
  dial.onResolved()
  if (resolved.length === 0) throw new DialRefused('DNS')
  // This machine's own name resolves to both families; a setting may allow only one of them.
  const addresses = isLocalhost(host) ? resolved.filter(guard.isAllowedAddress) : resolved
  if (addresses.length === 0) throw new DialRefused('BLOCKED')
  if (!addresses.every(guard.isAllowedAddress)) throw new DialRefused('BLOCKED')
  const isPrivate = addresses.every(guard.isPrivatelyAllowed)
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
  return {
    secureContext: isPrivate ? trustedCa.extended() : trustedCa.usual,
    servername: isIP(host) === 0 ? host : '',
    lookup: (_host, options, done) => {
      const [first] = pinned
      if (options.all) done(null, pinned)
      else done(null, first?.address ?? '', first?.family ?? 0)
    },
  }
}
