import type { IncomingMessage } from 'node:http'
import type { TenantId } from '../../storage/records.ts'
import { createApiKeys } from './api-keys.ts'
import {
  type Authenticated,
  authRequired,
  type CacheUse,
  type Credential,
  type CredentialKind,
  keyInvalid,
} from './credential-kind.ts'
import { authenticateInside, type Connection, inside } from './in-process-callers.ts'
import { createSessions } from './sessions.ts'
import { createVisitors } from './visitors.ts'

export interface Authenticator {
  /** Returns the caller of the request. Throws one of the 401 failures. */
  authenticate(req: IncomingMessage): Authenticated | Promise<Authenticated>
  /** When an authenticated request's access token ends; undefined for an API key. */
  expiresAtMs(req: IncomingMessage): number | undefined
  /** Forgets the cached credentials of this tenant; null: of every tenant. */
  forget(tenantId: TenantId | null): void
  /** The look-ups in the caches of this process since its start. */
  readonly caches: Readonly<Record<'keys' | 'sessions' | 'visitors', CacheUse>>
}

type Parts = Parameters<typeof createApiKeys>[0] &
  Parameters<typeof createSessions>[0] &
  Parameters<typeof createVisitors>[0]

/** The headers of the last good credential of a connection, and what they say. */
interface Sent {
  authorization: string | undefined
  apiKey: string | string[] | undefined
  credential: Credential
}

export function createAuthenticator(parts: Parts): Authenticator {
  const [keys, sessions, visitors] = [createApiKeys(parts), createSessions(parts), createVisitors(parts)]
  const kinds = [keys, sessions, visitors]
  const kindOf = (text: string): CredentialKind => {
    if (text.startsWith('sk_')) return keys
    return text.startsWith('wst_') ? visitors : sessions
  }
  /** Most clients send the same headers with each request of a connection: a hash or a signature is checked once. */
  const lastSent = new WeakMap<object, Sent>()
  function credentialOf(req: IncomingMessage): Credential {
    const { authorization, 'x-api-key': apiKey } = req.headers
    const last = lastSent.get(req.socket)
    const isSame = last !== undefined && last.authorization === authorization && last.apiKey === apiKey
    if (isSame && !isSentTwice(req)) return last.credential
    const text = textOf(req)
    const credential = kindOf(text).read(text)
    lastSent.set(req.socket, { authorization, apiKey, credential })
    return credential
  }
  return {
    caches: { keys: keys.cache, sessions: sessions.cache, visitors: visitors.cache },
    authenticate(req) {
      const caller = insideCallerOf(req)
      return caller === undefined ? credentialOf(req).caller() : authenticateInside(parts, caller)
    },
    expiresAtMs(req) {
      return insideCallerOf(req) === undefined ? credentialOf(req).endsAtMs : undefined
    },
    forget(tenantId) {
      for (const kind of kinds) kind.forget(tenantId)
    },
  }
}

const insideCallerOf = ({ socket }: { socket: Connection }) => socket[inside]

const noCredential = () =>
  authRequired('Authentication is required: send Authorization: Bearer with an API key or access token')
const twoCredentials = () => authRequired('Authorization and X-API-Key hold different credentials')

/** The one credential of a request; two that differ are none. */
function textOf(req: IncomingMessage): string {
  const { authorization } = req.headers
  const apiKey = req.headers['x-api-key']
  const bearer = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (authorization !== undefined && bearer === undefined) throw noCredential()
  const differ = bearer !== undefined && apiKey !== undefined && bearer !== apiKey
  if (differ || Array.isArray(apiKey) || isSentTwice(req)) throw twoCredentials()
  const credential = bearer ?? apiKey
  if (credential === undefined || credential === '') throw noCredential()
  // Any value of X-API-Key counts as a key, also one that does not look like a key.
  if (bearer === undefined && !credential.startsWith('sk_')) throw keyInvalid()
  return credential
}

/** Node shows the first of two equal headers, or joins them: another program on the way may see another caller. */
function isSentTwice({ rawHeaders }: IncomingMessage): boolean {
  let authorizations = 0
  let apiKeys = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 'authorization'.length && name.toLowerCase() === 'authorization') authorizations += 1
    else if (name.length === 'x-api-key'.length && name.toLowerCase() === 'x-api-key') apiKeys += 1
  }
  return authorizations > 1 || apiKeys > 1
}
