import { type Permission, permissions, type Role } from '@crmkit/core'
import type { TenantId } from '../../src/ports/records.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import type { RunningService } from '../support/start-service.ts'

/** One tenant with one of everything, and a credential of every kind. */
export interface TenantWorld {
  tenantId: TenantId
  userId: string
  /** A user who has not accepted yet. */
  invitedUserId: string
  inviteToken: string
  inboxId: string
  /** One without conversations. */
  emptyInboxId: string
  customerId: string
  otherCustomerId: string
  conversationId: string
  messageId: string
  apiKeyId: string
  webhookId: string
  logId: string
  tokens: Record<Role, string>
  /** A key with this one permission. */
  keys: Record<Permission, string>
  keyWithAll: string
  email: string
  refreshToken: string
}

export async function createTenantWorld(running: RunningService): Promise<TenantWorld> {
  const { url } = running
  const owner = await registerTenant(url)
  const { token } = owner
  const post = async (path: string, body: unknown) => {
    const answer = await call(url, { method: 'POST', path, token, body })
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const inboxes = await call(url, { path: '/api/v1/inboxes', token })
  const inboxId: string = inboxes.body.data[0]._id
  const customer = await post('/api/v1/customers', {
    firstName: 'Ada',
    email: 'ada@example.com',
    tags: ['vip'],
  })
  const conversation = await post('/api/v1/conversations', {
    subject: 'Help',
    inboxId,
    customerId: customer._id,
  })
  const message = await post(`/api/v1/conversations/${conversation._id}/messages`, { content: 'Hello' })
  const apiKey = await post('/api/tenant/api-keys', { name: 'Sample', permissions: ['read:customers'] })
  const webhook = await post('/api/v1/webhooks', {
    name: 'Sample',
    // Nothing listens there: what is tested here is who may touch a webhook, not what it delivers.
    url: 'https://127.0.0.1:1024/hook',
    events: ['customer.created'],
    retryPolicy: { maxRetries: 0 },
  })
  const other = await post('/api/v1/customers', { firstName: 'Event' })
  const logs = await call(url, { path: `/api/v1/webhooks/${webhook._id}/logs`, token })
  const emptyInbox = await post('/api/v1/inboxes', { name: 'Empty' })
  const invited = await post('/api/v1/users', { email: 'invited@example.com', role: 'agent' })
  const keys = Object.fromEntries(
    await Promise.all(
      permissions.map(async (permission) => [permission, await createKey(url, token, [permission])]),
    ),
  ) as Record<Permission, string>
  return {
    tenantId: owner.tenant._id,
    userId: owner.user._id,
    invitedUserId: invited._id,
    inviteToken: invited.inviteToken,
    inboxId,
    emptyInboxId: emptyInbox._id,
    customerId: customer._id,
    otherCustomerId: other._id,
    conversationId: conversation._id,
    messageId: message._id,
    apiKeyId: apiKey._id,
    webhookId: webhook._id,
    logId: logs.body.data.logs[0]._id,
    tokens: { owner: token, ...(await createColleagues(running, owner.tenant._id)) },
    keys,
    keyWithAll: await createKey(url, token, permissions),
    email: owner.email,
    refreshToken: owner.refreshToken,
  }
}

/** Sessions of the lesser roles. */
async function createColleagues(running: RunningService, tenantId: TenantId) {
  const tokens: Record<Exclude<Role, 'owner'>, string> = { viewer: '', agent: '', admin: '' }
  for (const role of ['viewer', 'agent', 'admin'] as const) {
    tokens[role] = (await addColleague(running, { tenantId, role })).token
  }
  return tokens
}
