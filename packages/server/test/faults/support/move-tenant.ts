import { setTimeout as delay } from 'node:timers/promises'
import { call, createKey, password } from '../../support/call.ts'

export interface MoveTenant {
  url: string
  /** An owner's access token. */
  token: string
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
  const { accessToken: token, user } = registered.body.data
  const ask = (method: string, path: string, body?: unknown) =>
    askPatiently(url, { method, path, token, body })
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
    token,
    key: await createKey(url, token, permissions),
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
  token: string
  body: unknown
}

/** Asks again while the server is away. */
async function askPatiently(url: string, asked: Asked) {
  for (;;) {
    const response = await call(url, asked).catch(() => undefined)
    if (response === undefined || response.status === 503) {
      await delay(50)
      continue
    }
    const { status, body } = response
    if (status >= 300) throw new Error(`${asked.method} ${asked.path}: ${JSON.stringify(body)}`)
    return typeof body === 'string' ? JSON.parse(body) : body.data
  }
}
