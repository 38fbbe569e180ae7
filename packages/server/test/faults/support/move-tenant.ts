import { setTimeout as delay } from 'node:timers/promises'
import { call, createKey, password } from '../../support/call.ts'

export interface MoveTenant {
  url: string
  key: string
  inboxId: string
  /** The address of the inbox, and the token of its door for mails. */
  inbox: { address: string; token: string }
  /** The users by their addresses. */
  users: ReadonlyMap<string, string>
  integrationId: string
  /** The path of the integration. */
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
  ask(method: string, path: string, body?: unknown): Promise<any>
  /** The records that the newest run has read. */
  readOfRun(): Promise<number>
  hasEnded(): Promise<boolean>
}

const permissions = ['read:customers', 'read:conversations', 'write:customers', 'write:conversations']

const colleagues = ['agent1@acme.test', 'agent2@acme.test']

/** A tenant whose users have the addresses of the emulator's agents. */
export async function openMoveTenant(url: string, email: string): Promise<MoveTenant> {
  const registered = await call(url, {
    method: 'POST',
    path: '/api/auth/register',
    body: { tenantName: 'Move', email, password, firstName: 'Olive', lastName: 'Owner' },
  })
  const { accessToken, user } = registered.body.data
  const session: OwnSession = { url, email, token: accessToken }
  const ask = (method: string, path: string, body?: unknown) => askPatiently(session, { method, path, body })
  const users = new Map<string, string>([[email, user._id]])
  for (const colleague of colleagues) {
    const invited = await ask('POST', '/api/v1/users', { email: colleague, role: 'agent', firstName: 'Andy' })
    await ask('POST', '/api/auth/accept-invite', { token: invited.inviteToken, password })
    users.set(colleague, invited._id)
  }
  const [{ _id: inboxId }] = await ask('GET', '/api/v1/inboxes')
  const address = 'support@acme.test'
  const settings = { address, plusAddressing: true, authservIds: ['mx.acme.test'], transport: 'relay' }
  await ask('PUT', `/api/v1/inboxes/${inboxId}`, { email: settings })
  const { inboundToken } = await ask('POST', `/api/v1/inboxes/${inboxId}/inbound-token`, {})
  const base = '/api/extcrm/integrations'
  const { _id: integrationId } = await ask('POST', base, { provider: 'package' })
  const path = `${base}/${integrationId}`
  const status = () => ask('GET', `${path}/import/status`)
  return {
    url,
    key: await createKey(url, session.token, permissions),
    inboxId,
    inbox: { address, token: inboundToken },
    users,
    integrationId,
    path,
    ask,
    readOfRun: async () => {
      const { run } = await status()
      const counts = Object.values(run?.modules ?? {}) as { read: number }[]
      return counts.reduce((sum, { read }) => sum + read, 0)
    },
    hasEnded: async () => ['idle', 'failed'].includes((await status()).syncStatus),
  }
}

interface Asked {
  method: string
  path: string
  body: unknown
}

/** An owner who signs in again when the session has ended: a long move takes more than a quarter of an hour. */
interface OwnSession {
  url: string
  email: string
  token: string
}

/** Asks again while the server is away. */
async function askPatiently(session: OwnSession, asked: Asked) {
  for (;;) {
    const response = await call(session.url, { ...asked, token: session.token }).catch(() => undefined)
    if (response === undefined || response.status === 503) {
      await delay(50)
      continue
    }
    const { status, body } = response
    if (status === 401) {
      await signIn(session)
      continue
    }
    if (status >= 300) throw new Error(`${asked.method} ${asked.path}: ${JSON.stringify(body)}`)
    return typeof body === 'string' ? JSON.parse(body) : body.data
  }
}

async function signIn(session: OwnSession): Promise<void> {
  const { url, email } = session
  const { status, body } = await call(url, {
    method: 'POST',
    path: '/api/auth/login',
    body: { email, password },
  })
  if (status >= 300) throw new Error(`The owner cannot sign in: ${JSON.stringify(body)}`)
  session.token = body.data.accessToken
}
