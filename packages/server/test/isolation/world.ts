import { randomUUID } from 'node:crypto'
import { type Inbox, type Permission, permissions, type Role } from '@crmkit/core'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant, upload } from '../support/call.ts'
import { makeResetToken } from '../support/reset-token.ts'
import type { RunningService } from '../support/start-service.ts'
import { ensureParked, makeMail, suppressTwo } from './stored-mail.ts'

/** One tenant with a resource of every kind, two where it is listed, and its strongest credentials. */
export interface SmallWorld {
  tenantId: TenantId
  /** A word that is in every resource of this tenant and nowhere else. */
  marker: string
  userId: string
  /** A user who has not accepted yet. */
  invitedUserId: string
  inviteToken: string
  /** Sets a new password of a user who has nothing else to do in the world. */
  resetToken: string
  inboxId: string
  /** A customer without conversations. */
  emptyInboxId: string
  /** An inbox that sends by the relay, with a key that signs. */
  mailInboxId: string
  customerId: string
  otherCustomerId: string
  /** Id of a customer in the system `shop`. */
  externalId: string
  conversationId: string
  messageId: string
  /** A reply whose e-mail was refused for good. */
  failedMailId: string
  /** A reply by e-mail that can be taken back. */
  queuedMailId: string
  suppressedAddressId: string
  /** A draft of the key with all permissions, beside one of the owner. */
  draftId: string
  callId: string
  /** A mail that is parked. */
  mailId: string
  /** An upload that no message has. */
  attachmentId: string
  /** A request of the owner that nobody has decided on. */
  privacyRequestId: string
  /** A request of the owner that is being processed. */
  approvedRequestId: string
  integrationId: string
  /** An integration with a file, which no run reads. */
  fileIntegrationId: string
  /** An integration whose run waits for a limit of its source. */
  pausedIntegrationId: string
  /** An integration that can sync by itself. */
  zohoIntegrationId: string
  /** State of a sign-in of the owner at an external CRM, which has granted access; empty without a client id. */
  signInState: string
  /** A run that ended with errors. */
  runId: string
  apiKeyId: string
  webhookId: string
  logId: string
  tokens: Record<Role, string>
  keyWithAll: string
  email: string
  refreshToken: string
  /** The public key of the default inbox. */
  widgetKey: string
  /** The session of a visitor who has two conversations. */
  visitorToken: string
  widgetConversationId: string
  /** A file in a message of the visitor. */
  widgetAttachmentId: string
  /** A file of the visitor that no message has. */
  visitorUploadId: string
}

/** The same with a credential of every kind. */
export interface TenantWorld extends SmallWorld {
  /** A key with this one permission. */
  keys: Record<Permission, string>
  /** A key with every permission but this one. */
  keysWithout: Record<Permission, string>
}

interface ImportsOf {
  tenantId: TenantId
  integrationId: string
  marker: string
}

/** Makes integrations and runs in states that requests alone reach slowly. */
async function makeImports(
  { service }: Pick<RunningService, 'service'>,
  { tenantId, integrationId, marker }: ImportsOf,
) {
  const store = service.storage.forTenant(tenantId)
  // Retention removes no row during a test.
  const expiresAt = '2999-01-01T00:00:00.000Z'
  const sealed = { tenantId, integrationId, expiresAt }
  const ended = sample.importRuns(tenantId, {
    ...sealed,
    status: 'completed_with_errors',
    dryRun: false,
    finishedAt: new Date().toISOString(),
    undo: { status: 'none', startedAt: null, finishedAt: null, removed: 0, restored: 0, kept: 0 },
    checkpoint: checkpointOfTests,
  })
  const paused = sample.importRuns(tenantId, {
    expiresAt,
    integrationId: `int_paused_${marker}`,
    status: 'paused',
    resumeAt: '2999-01-01T00:00:00.000Z',
    undo: ended.undo,
    checkpoint: checkpointOfTests,
  })
  const base = {
    isActive: true,
    reauthRequired: false,
    syncStatus: 'idle',
    autoSync: offOfTests,
    conflict: 'merge',
    dateOrder: 'dmy',
  } as const
  const zoho = sample.integrations(tenantId, {
    ...base,
    provider: 'zoho',
    accountId: marker,
    activeRunId: null,
  })
  const waiting = sample.integrations(tenantId, {
    ...base,
    _id: paused.integrationId,
    provider: 'file',
    accountId: `paused ${marker}`,
    activeRunId: paused._id,
  })
  const files = sample.integrations(tenantId, {
    ...base,
    provider: 'file',
    accountId: `files ${marker}`,
    activeRunId: null,
    importSettings: allSettings,
  })
  const file = sample.importFiles(tenantId, { integrationId: files._id, module: 'Contacts' })
  const issues = [1, 2].map(() =>
    sample.importIssues(tenantId, {
      runId: ended._id,
      severity: 'error',
      module: marker,
      customerId: null,
      expiresAt,
    }),
  )
  const other = sample.importRuns(tenantId, { ...ended, _id: `${ended._id}b`, finishedAt: ended.finishedAt })
  await store.commit({
    writes: [
      ...[zoho, waiting, files].map((row) => insertOf('integrations', row)),
      ...[ended, other, paused].map((row) => insertOf('importRuns', row)),
      ...issues.map((row) => insertOf('importIssues', row)),
      insertOf('importFiles', file),
    ],
    events: [],
  })
  return {
    fileIntegrationId: files._id,
    pausedIntegrationId: waiting._id,
    zohoIntegrationId: zoho._id,
    runId: ended._id,
  }
}

const offOfTests = { enabled: false, intervalMinutes: 15, nextRunAt: null }
const allSettings = {
  importContacts: true,
  importDeals: true,
  importTickets: true,
  importNotes: true,
  importActivities: true,
  preserveIds: false,
}
const checkpointOfTests = {
  v: 1 as const,
  since: null,
  before: null,
  module: null,
  phase: 'list' as const,
  position: null,
  until: null,
  tries: 0,
  only: null,
}

export async function createTenantWorld(
  running: Pick<RunningService, 'url' | 'service'>,
): Promise<TenantWorld> {
  const world = await createSmallWorld(running)
  const keyWith = (granted: readonly Permission[]) => createKey(running.url, world.tokens.owner, granted)
  return {
    ...world,
    keys: await forEachPermission((permission) => keyWith([permission])),
    keysWithout: await forEachPermission((permission) =>
      keyWith(permissions.filter((other) => other !== permission)),
    ),
  }
}

/** For a test that uses a tenant up: many of them would spend most of their time on keys that they never send. */
export async function createSmallWorld(
  running: Pick<RunningService, 'url' | 'service'>,
): Promise<SmallWorld> {
  const { url } = running
  const owner = await registerTenant(url)
  const { token } = owner
  const marker = `zq${randomUUID().replaceAll('-', '')}`
  const post = async (path: string, body: unknown) => {
    const response = await call(url, { method: 'POST', path, token, body })
    if (response.status > 201) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
    return response.body.data
  }
  const inboxes = await call(url, { path: '/api/v1/inboxes', token })
  const inboxId: string = inboxes.body.data[0]._id
  const customer = await post('/api/v1/customers', {
    firstName: 'Ada',
    lastName: marker,
    email: 'ada@example.com',
    tags: ['vip'],
  })
  const conversation = await post('/api/v1/conversations', {
    subject: `Help ${marker}`,
    inboxId,
    customerId: customer._id,
    labels: [marker],
  })
  const anotherConversation = await post('/api/v1/conversations', {
    subject: `Another ${marker}`,
    inboxId,
    customerId: customer._id,
  })
  const messages = `/api/v1/conversations/${conversation._id}/messages`
  const message = await post(messages, { content: `Hello ${marker}` })
  await post(messages, { content: `Again ${marker}` })
  const called = { to: '+15551230001', customerId: customer._id, conversationId: conversation._id }
  const made = await post('/api/telephony/calls', called)
  await post('/api/telephony/calls', called)
  await call(url, {
    method: 'PATCH',
    path: `/api/telephony/calls/${made._id}/metadata`,
    token,
    body: { notes: `Call of ${marker}` },
  })
  const file = new File([`Screenshot of ${marker}`], `${marker}.txt`)
  const attachment = await upload(url, { token, file })
  const apiKey = await post('/api/tenant/api-keys', { name: marker, permissions: ['read:customers'] })
  const webhook = await post('/api/v1/webhooks', {
    name: marker,
    // No server listens there: these tests are about access to a webhook, not about its deliveries.
    url: 'https://127.0.0.1:1024/hook',
    events: ['customer.created'],
    retryPolicy: { maxRetries: 0 },
  })
  await post('/api/v1/webhooks', {
    name: `Another ${marker}`,
    url: 'https://127.0.0.1:1024/other',
    events: ['user.updated'],
  })
  const other = await post('/api/v1/customers', { firstName: `Event ${marker}` })
  await post(`/api/v1/customers/${other._id}/block`, {})
  await post('/api/v1/customers', { firstName: `Event ${marker}` })
  const externalId = `order-${randomUUID()}`
  const path = `/api/v1/customers/by-external-id/shop/${externalId}`
  await call(url, { method: 'PUT', path, token, body: { firstName: `External ${marker}` } })
  const logs = await call(url, { path: `/api/v1/webhooks/${webhook._id}/logs`, token })
  const integrations = '/api/extcrm/integrations'
  const integration = await post(integrations, { provider: 'file', name: marker })
  await post(integrations, { provider: 'file', name: `Another ${marker}` })
  const imports = await makeImports(running, {
    tenantId: owner.tenant._id as TenantId,
    integrationId: integration._id,
    marker,
  })
  const signInState = await signInAtZoho(url, token)
  const emptyInbox = await post('/api/v1/inboxes', { name: `Empty ${marker}` })
  const mailInbox = await post('/api/v1/inboxes', {
    name: `Mail ${marker}`,
    email: { address: `${marker}@example.com`, transport: 'relay' },
  })
  await setDkimKey(running, mailInbox)
  const invited = await post('/api/v1/users', { email: `${marker}@example.com`, role: 'agent' })
  const requestAccess = async (): Promise<string> => {
    const path = '/api/data-privacy/access-request'
    const { body } = await call(url, { method: 'POST', path, token, body: { reason: marker } })
    return body.request.id
  }
  const approvedRequestId = await requestAccess()
  const decided = `/api/tenant/privacy-requests/${approvedRequestId}/approve`
  await call(url, { method: 'POST', path: decided, token, body: {} })
  const colleagues = await createColleagues(running, owner.tenant._id)
  const deletion = { path: '/api/data-privacy/deletion-request', token: colleagues.admin }
  await call(url, { method: 'POST', ...deletion, body: { reason: marker } })
  const visitor = await createVisitor(running, { token, inboxId, marker })
  const mail = { tenantId: owner.tenant._id as TenantId, message, inboxId, marker }
  const keyWithAll = await createKey(url, token, permissions)
  return {
    tenantId: owner.tenant._id,
    marker,
    userId: owner.user._id,
    invitedUserId: invited._id,
    inviteToken: invited.inviteToken,
    resetToken: await makeResetToken(running, { tenantId: owner.tenant._id, passwordOf: owner.email }),
    inboxId,
    emptyInboxId: emptyInbox._id,
    mailInboxId: mailInbox._id,
    customerId: customer._id,
    otherCustomerId: other._id,
    externalId,
    conversationId: conversation._id,
    messageId: message._id,
    failedMailId: await makeMail(running, { ...mail, status: 'failed' }),
    queuedMailId: await makeMail(running, { ...mail, status: 'queued' }),
    suppressedAddressId: await suppressTwo(running, mail),
    callId: made._id,
    mailId: await parkMail(running, { token, tenantId: owner.tenant._id as TenantId, inboxId, marker }),
    attachmentId: attachment._id,
    privacyRequestId: await requestAccess(),
    approvedRequestId,
    integrationId: integration._id,
    ...imports,
    signInState,
    apiKeyId: apiKey._id,
    webhookId: webhook._id,
    logId: logs.body.data.logs[0]._id,
    tokens: { owner: token, ...colleagues },
    keyWithAll,
    draftId: await makeDrafts(url, {
      planned: [anotherConversation._id, conversation._id],
      tokens: { owner: token, key: keyWithAll },
      marker,
    }),
    email: owner.email,
    ...visitor,
    refreshToken: owner.refreshToken,
  }
}

interface DraftsOf {
  /** The conversations in which the owner has a planned draft; the key has a draft in the last one. */
  planned: readonly string[]
  tokens: { owner: string; key: string }
  marker: string
}

const plannedAfterMs = 86_400_000

/** Returns the id of the key's draft. */
async function makeDrafts(url: string, { planned, tokens, marker }: DraftsOf): Promise<string> {
  const content = `Draft ${marker}`
  const save = async (conversationId: string | undefined, token: string, body: object): Promise<string> => {
    const path = `/api/v1/conversations/${conversationId}/draft`
    return (await call(url, { method: 'PUT', path, token, body: { content, ...body } })).body.data._id
  }
  const sendAt = new Date(Date.now() + plannedAfterMs).toISOString()
  for (const conversationId of planned) await save(conversationId, tokens.owner, { sendAt })
  return save(planned.at(-1), tokens.key, {})
}

/** A real key takes processor time, and each of the generated tests has a world of its own. */
async function setDkimKey(
  { service }: Pick<RunningService, 'service'>,
  { _id: id, tenantId, email }: Inbox,
): Promise<void> {
  const store = service.storage.forTenant(tenantId as TenantId)
  const row = await store.inboxes.find(id)
  const set = { email: { ...email, dkim: { selector: 'crm1', publicKey: 'MIIB' } } }
  await store.commit({
    writes: [{ op: 'update', kind: 'inboxes', id, expectVersion: row?.version ?? 0, set }],
    events: [],
  })
}

/** Posts two mails without a sender, which are parked, and returns the first one. */
async function parkMail(
  running: Pick<RunningService, 'url' | 'service'>,
  {
    token,
    tenantId,
    inboxId,
    marker,
  }: { token: string; tenantId: TenantId; inboxId: string; marker: string },
): Promise<string> {
  const { url } = running
  const path = `/api/v1/inboxes/${inboxId}/inbound-token`
  const { body } = await call(url, { method: 'POST', path, token, body: {} })
  const posted = [1, 2].map(async (count): Promise<string> => {
    const response = await fetch(`${url}/api/v1/inbound/email/${body.data.inboundToken}`, {
      method: 'POST',
      headers: { 'Content-Type': 'message/rfc822' },
      body: `Subject: ${marker} ${count}\n\nMail of ${marker}`,
    })
    return ((await response.json()) as { data: { _id: string } }).data._id
  })
  const [first = '', second = ''] = await Promise.all(posted)
  for (const id of [first, second]) await ensureParked(running, tenantId, id)
  return first
}

async function signInAtZoho(url: string, token: string): Promise<string> {
  const path = '/api/extcrm/integrations/connect/zoho'
  const { status, body } = await call(url, { method: 'POST', path, token, body: {} })
  if (status !== 200) return ''
  // The source grants access immediately and sends the browser to the callback.
  await fetch(body.data.authorizationUrl)
  return body.data.state
}

async function forEachPermission(make: (permission: Permission) => Promise<string>) {
  const made = permissions.map(async (permission) => [permission, await make(permission)])
  return Object.fromEntries(await Promise.all(made)) as Record<Permission, string>
}

/** Sessions of the lesser roles. */
async function createColleagues(running: Pick<RunningService, 'service' | 'url'>, tenantId: TenantId) {
  const tokens: Record<Exclude<Role, 'owner'>, string> = { viewer: '', agent: '', admin: '' }
  for (const role of ['viewer', 'agent', 'admin'] as const) {
    tokens[role] = (await addColleague(running, { tenantId, role })).token
  }
  return tokens
}

/** Switches the chat widget of an inbox on, and writes as a visitor of it. */
async function createVisitor(
  { url }: Pick<RunningService, 'url'>,
  { token, inboxId, marker }: { token: string; inboxId: string; marker: string },
) {
  const path = `/api/v1/inboxes/${inboxId}`
  const on = await call(url, { method: 'PUT', path, token, body: { widget: { enabled: true } } })
  const widgetKey: string = on.body.data.widget.publicKey
  const send = async (asked: { path: string; token?: string; body?: unknown; form?: { file: File } }) => {
    const response = await call(url, { method: 'POST', ...asked, path: `/api/v1/widget/${asked.path}` })
    if (response.status !== 201) throw new Error(`${asked.path}: ${JSON.stringify(response.body)}`)
    return response.body.data
  }
  const body = { key: widgetKey, profile: { firstName: `Vera ${marker}` } }
  const { sessionToken: visitorToken } = await send({ path: 'sessions', body })
  const uploadFile = () => {
    const file = new File([`Photo of ${marker}`], `${marker}.txt`)
    return send({ path: 'attachments', token: visitorToken, form: { file } })
  }
  const attached = await uploadFile()
  const begin = (attachments: readonly string[]) => {
    const clientMessageId = randomUUID()
    const message = { message: `Question of ${marker}`, clientMessageId, attachments }
    return send({ path: 'conversations', token: visitorToken, body: message })
  }
  const begun = await begin([attached._id])
  await begin([])
  await send({
    path: `conversations/${begun._id}/messages`,
    token: visitorToken,
    body: { content: `More of ${marker}`, clientMessageId: randomUUID() },
  })
  return {
    widgetKey,
    visitorToken,
    widgetConversationId: begun._id as string,
    widgetAttachmentId: attached._id as string,
    visitorUploadId: (await uploadFile())._id as string,
  }
}
