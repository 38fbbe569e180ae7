import { call, registerTenant } from '../../support/call.ts'

/** A tenant of a run, with a key that has all permissions of the load. */
export interface LoadTenant {
  key: string
  ownerToken: string
  inboxId: string
}

const permissions = [
  'read:customers',
  'write:customers',
  'read:conversations',
  'write:conversations',
  'webhook:manage',
]

interface AskedOperation {
  token: string
  method: string
  path: string
  body?: unknown
}

async function ask(url: string, { token, ...asked }: AskedOperation) {
  const response = await call(url, { ...asked, token })
  if (response.status >= 300) throw new Error(`${asked.path}: ${JSON.stringify(response.body)}`)
  return response.body.data
}

export async function openLoadTenant(url: string): Promise<LoadTenant> {
  const { token: ownerToken } = await registerTenant(url)
  const body = { name: 'The load of a fault run', permissions }
  const { key } = await ask(url, { method: 'POST', path: '/api/tenant/api-keys', token: ownerToken, body })
  const [inbox] = await ask(url, { method: 'GET', path: '/api/v1/inboxes', token: ownerToken })
  return { key, ownerToken, inboxId: inbox._id }
}

export interface Subscription {
  url: string
  events: readonly string[]
  retryPolicy?: { maxRetries: number; backoffStrategy?: 'linear' | 'exponential' }
}

/** Returns the webhook's id and secret. */
export async function subscribe(
  url: string,
  { key }: LoadTenant,
  subscription: Subscription,
): Promise<{ _id: string; secret: string }> {
  const body = { name: 'A receiver', ...subscription }
  return ask(url, { method: 'POST', path: '/api/v1/webhooks', token: key, body })
}
