import { randomUUID } from 'node:crypto'
import { type Inbox, type Permission, permissions, type Role } from '@crmkit/core'
import { exportPartId } from '../../src/jobs/end-exports.ts'
import { newSurvey } from '../../src/storage/kinds/import-files.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { addColleagues } from '../support/add-colleague.ts'
import { call, createKey, registerTenant, upload } from '../support/call.ts'
import { makeResetToken } from '../support/reset-token.ts'
import type { RunningService } from '../support/start-service.ts'
import { ensureParked, failTwo, makeMail, suppressTwo } from './stored-mail.ts'

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
  /** A conversation that was merged into another one of its customer. */
  mergedConversationId: string
  /** A conversation of the customer of the first one. */
  otherConversationId: string
  /** A customer who was merged into the customer. */
  mergedCustomerId: string
  /** Id of a customer in the system `shop`. */
  externalId: string
  conversationId: string
  messageId: string
  /** A reply whose e-mail was refused for good. */
  failedMailId: string
  /** A reply by e-mail that can be taken back. */
  queuedMailId: string
  suppressedAddressId: string
  /** A door that fails. */
  doorId: string
  /** A draft of the key with all permissions, beside one of the owner. */
  draftId: string
  /** A note that mentions the owner; there is another one. */
  mentioningId: string
  callId: string
  /** A note about the customer. */
  noteId: string
  /** A mail that is parked. */
  mailId: string
  /** An upload that no message has. */
  attachmentId: string
  /** A request of the owner that nobody has decided on. */
  privacyRequestId: string
  /** A request of the owner that is being processed. */
  approvedRequestId: string
  /** The request of the admin to be deleted. */
  deletionRequestId: string
  integrationId: string
  /** An integration with a file, which no run reads. */
  fileIntegrationId: string
  /** A file of `integrationId`. */
  importFileId: string
  /** An integration for a package, which has no file. */
  packageIntegrationId: string
  /** An export that is ready, with one part. */
  exportId: string
  /** An integration whose run waits for a limit of its source. */
  pausedIntegrationId: string
  /** An integration that can sync by itself. */
  zohoIntegrationId: string
  /** State of a sign-in of the owner at an external CRM, which has granted access; empty without a client id. */
  signInState: string
  mailSignInState: string
  signedInInboxId: string
  /** A run that ended with errors. */
  runId: string
  cannedReplyId: string
  viewId: string
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
  /** A message that offers the choice `yes`. */
  widgetOfferId: string
  /** Of a visitor with an address. */
  transcriptConversationId: string
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

/** Makes two exports that have ended, the newer one with a part. */
async function makeExports(
  { service }: Pick<RunningService, 'service'>,
  { tenantId, attachmentId, marker }: { tenantId: TenantId; attachmentId: string; marker: string },
): Promise<string> {
  const store = service.storage.forTenant(tenantId)
  const bytes = await store.attachments.find(attachmentId)
  if (bytes === undefined) throw new Error('The world has no file')
  // Long ago, so that a further one of the day is allowed.
  const createdAt = '2020-01-01T00:00:00.000Z'
  const end = '2999-01-01T00:00:00.000Z'
  const ended = {
    dueAt: null,
    createdAt,
    expiresAt: end,
    keptUntil: end,
    place: null,
    files: [],
    leftOut: [],
  }
  const error = { code: 'REPLACED', message: marker }
  const counts = { people: { total: 1 } }
  const ready = sample.tenantExports(tenantId, { ...ended, status: 'ready', error, counts, partCount: 1 })
  const old = sample.tenantExports(tenantId, { ...ended, status: 'expired', error, counts, partCount: 0 })
  const { size, sha256 } = bytes
  const part = { tenantId, integrationId: ready._id, attachmentId, size, sha256, createdAt, expiresAt: end }
  const row = { ...part, _id: exportPartId(ready, 1), path: `bytes/${sha256.slice(0, 2)}/${sha256}` }
  await store.commit({
    writes: [...[old, ready].map((one) => insertOf('tenantExports', one)), insertOf('packageFiles', row)],
    events: [],
  })
  return ready._id
}

interface ImportsOf {
  tenantId: TenantId
  integrationId: string
  /** A file that the run has read. */
  fileId: string
  marker: string
}

/** Makes integrations and runs in states that requests alone reach slowly. */
async function makeImports(
  { service }: Pick<RunningService, 'service'>,
  { tenantId, integrationId, fileId, marker }: ImportsOf,
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
    balance: [{ module: 'Leads', fileId, filename: 'people.csv', rows: noRows, columns: [] }],
    packageFigures: { counts: {}, leftOut: [{ kind: 'messages', count: 1, reason: marker }] },
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
    handover: null,
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
  const ofPackage = sample.integrations(tenantId, {
    ...base,
    provider: 'package',
    accountId: `package ${marker}`,
    activeRunId: null,
    packageReadAt: null,
    handover: 'following',
  })
  // It has no bytes to survey.
  const survey = { ...newSurvey(expiresAt), status: 'done' as const, dueAt: null }
  const file = sample.importFiles(tenantId, { integrationId: files._id, module: 'Contacts', survey })
  const issues = [1, 2].map(() =>
    sample.importIssues(tenantId, {
      runId: ended._id,
      severity: 'error',
      module: marker,
      customerId: null,
      expiresAt,
    }),
  )
  const rejected = sample.importIssues(tenantId, {
    runId: ended._id,
    severity: 'error',
    module: 'Leads',
    row: 2,
    customerId: null,
    expiresAt,
  })
  const other = sample.importRuns(tenantId, { ...ended, _id: `${ended._id}b`, finishedAt: ended.finishedAt })
  await store.commit({
    writes: [
      ...[zoho, waiting, files, ofPackage].map((row) => insertOf('integrations', row)),
      ...[ended, other, paused].map((row) => insertOf('importRuns', row)),
      ...[...issues, rejected].map((row) => insertOf('importIssues', row)),
      insertOf('importFiles', file),
    ],
    events: [],
  })
  return {
    fileIntegrationId: files._id,
    packageIntegrationId: ofPackage._id,
    pausedIntegrationId: waiting._id,
    zohoIntegrationId: zoho._id,
    runId: ended._id,
  }
}

const noRows = {
  total: 0,
  blank: 0,
  outside: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  merged: 0,
  skipped: 0,
  failed: 0,
  repeated: 0,
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

/** Makes each field of a world, and what it depends on, when it is asked for: in this order where all are made. */
type Makers = { readonly [Field in keyof SmallWorld]: () => Promise<SmallWorld[Field]> }

/**
 * For a test that uses a tenant up: many of them would spend most of their time on keys that they never send, and, where
 * they name the fields that they use, on other resources.
 */
export async function createSmallWorld(
  running: Pick<RunningService, 'url' | 'service'>,
  fields?: Iterable<keyof SmallWorld>,
): Promise<SmallWorld> {
  const makers = await makersOf(running)
  const made: Partial<Record<keyof SmallWorld, unknown>> = {}
  for (const field of fields ?? (Object.keys(makers) as (keyof SmallWorld)[])) {
    made[field] = await makers[field]()
  }
  return new Proxy(made as unknown as SmallWorld, { get: getMade })
}

/** A test that reads what it has not asked for would send `undefined`, and prove nothing. */
function getMade(world: SmallWorld, field: string | symbol): unknown {
  if (typeof field === 'string' && field !== 'then' && field !== 'toJSON' && !Object.hasOwn(world, field)) {
    throw new Error(`This world was made without ${field}`)
  }
  return world[field as keyof SmallWorld]
}

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function makersOf(running: Pick<RunningService, 'url' | 'service'>): Promise<Makers> {
  const { url } = running
  const owner = await registerTenant(url)
  const { token } = owner
  const tenantId = owner.tenant._id as TenantId
  const marker = `zq${randomUUID().replaceAll('-', '')}`
  const post = async (path: string, body: unknown) => {
    const response = await call(url, { method: 'POST', path, token, body })
    if (response.status > 201) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
    return response.body.data
  }
  /** The first one is asked for by its field; a list shows both. */
  const two = (path: string, bodies: readonly [unknown, unknown]) =>
    once(async () => {
      const first = await post(path, bodies[0])
      await post(path, bodies[1])
      return first
    })
  const idOf = (make: () => Promise<{ _id: string }>) => async () => (await make())._id

  const inbox = once(async () => (await call(url, { path: '/api/v1/inboxes', token })).body.data[0])
  const customer = once(() =>
    post('/api/v1/customers', {
      firstName: 'Ada',
      lastName: marker,
      email: 'ada@example.com',
      tags: ['vip'],
    }),
  )
  const conversations = once(async () => {
    const [inboxId, customerId] = [(await inbox())._id, (await customer())._id]
    const common = { inboxId, customerId }
    return [
      await post('/api/v1/conversations', { subject: `Help ${marker}`, ...common, labels: [marker] }),
      await post('/api/v1/conversations', { subject: `Another ${marker}`, ...common }),
    ]
  })
  const conversationsToMerge = once(async () => {
    const common = { inboxId: (await inbox())._id, customerId: (await customer())._id }
    const [target, source] = [
      await post('/api/v1/conversations', { subject: `Target ${marker}`, ...common }),
      await post('/api/v1/conversations', { subject: `Source ${marker}`, ...common }),
    ]
    await post(`/api/v1/conversations/${target._id}/merge`, { sourceId: source._id })
    return source
  })
  const message = once(async () => {
    const messages = `/api/v1/conversations/${(await conversations())[0]._id}/messages`
    const first = await post(messages, { content: `Hello ${marker}` })
    await post(messages, { content: `Again ${marker}` })
    return first
  })
  const made = once(async () => {
    const [customerId, conversationId] = [(await customer())._id, (await conversations())[0]._id]
    const called = { to: '+15551230001', customerId, conversationId }
    const first = await post('/api/telephony/calls', called)
    await post('/api/telephony/calls', called)
    const path = `/api/telephony/calls/${first._id}/metadata`
    await call(url, { method: 'PATCH', path, token, body: { notes: `Call of ${marker}` } })
    return first
  })
  const note = once(async () => {
    const path = `/api/v1/customers/${(await customer())._id}/notes`
    const first = await post(path, { content: `Calls of ${marker}` })
    await post(path, { content: `Letters of ${marker}` })
    return first
  })
  const attachment = once(() =>
    upload(url, { token, file: new File([`Screenshot of ${marker}`], `${marker}.txt`) }),
  )
  const apiKey = once(() => post('/api/tenant/api-keys', { name: marker, permissions: ['read:customers'] }))
  const webhook = two('/api/v1/webhooks', [
    {
      name: marker,
      // No server listens there: these tests are about access to a webhook, not about its deliveries.
      url: 'https://127.0.0.1:1024/hook',
      events: ['customer.created'],
      retryPolicy: { maxRetries: 0 },
    },
    { name: `Another ${marker}`, url: 'https://127.0.0.1:1024/other', events: ['user.updated'] },
  ])
  const other = once(async () => {
    const created = await post('/api/v1/customers', { firstName: `Event ${marker}` })
    await post(`/api/v1/customers/${created._id}/block`, {})
    return created
  })
  const merged = once(async () => {
    const source = await post('/api/v1/customers', { firstName: `Merged ${marker}` })
    await post(`/api/v1/customers/${(await customer())._id}/merge`, { sourceId: source._id })
    return source
  })
  const externalId = once(async () => {
    const id = `order-${randomUUID()}`
    const path = `/api/v1/customers/by-external-id/shop/${id}`
    await call(url, { method: 'PUT', path, token, body: { firstName: `External ${marker}` } })
    return id
  })
  const log = once(async () => {
    const path = `/api/v1/webhooks/${(await webhook())._id}/logs`
    await post('/api/v1/customers', { firstName: `Event ${marker}` })
    return (await call(url, { path, token })).body.data.logs[0]
  })
  const integrations = '/api/extcrm/integrations'
  const integration = two(integrations, [
    { provider: 'file', name: marker },
    { provider: 'file', name: `Another ${marker}` },
  ])
  const importFile = once(async () => {
    const path = `${integrations}/${(await integration())._id}/files`
    const file = new File([`id,email\n1,${marker}@example.com\n`], 'people.csv')
    const uploadAs = async (module: string) =>
      (await call(url, { method: 'POST', path, token, form: { module, file } })).body.data
    await uploadAs('Contacts')
    return uploadAs('Leads')
  })
  const imports = once(async () => {
    const integrationId = (await integration())._id
    const fileId = (await importFile())._id
    return makeImports(running, { tenantId, integrationId, fileId, marker })
  })
  const mailInbox = once(async () => {
    const email = { address: `${marker}@example.com`, transport: 'relay' }
    const created = await post('/api/v1/inboxes', { name: `Mail ${marker}`, email })
    await setDkimKey(running, created)
    return created
  })
  const cannedReply = once(async () => {
    const made = (shortcut: string) =>
      post('/api/v1/canned-replies', { shortcut, title: marker, content: `${marker} {{customer.firstName}}` })
    await made('another')
    return made('greeting')
  })
  const view = once(async () => {
    const made = (name: string) =>
      post('/api/v1/views', { name: `${name} ${marker}`, filter: { search: marker }, isShared: true })
    await made('Another')
    return made('Greeting')
  })
  const requestAccess = async (): Promise<string> => {
    const path = '/api/data-privacy/access-request'
    const { body } = await call(url, { method: 'POST', path, token, body: { reason: marker } })
    return body.request.id
  }
  const colleagues = once(() => createColleagues(running, tenantId))
  const visitor = visitorMakers(running, { token, inbox, marker })
  const mail = async () => ({ tenantId, message: await message(), inboxId: (await inbox())._id, marker })
  const keyWithAll = once(() => createKey(url, token, permissions))
  const invited = once(() => post('/api/v1/users', { email: `${marker}@example.com`, role: 'agent' }))
  return {
    tenantId: async () => tenantId,
    marker: async () => marker,
    userId: async () => owner.user._id,
    email: async () => owner.email,
    refreshToken: async () => owner.refreshToken,
    resetToken: () => makeResetToken(running, { tenantId, passwordOf: owner.email }),
    inboxId: idOf(inbox),
    customerId: idOf(customer),
    conversationId: async () => (await conversations())[0]._id,
    otherConversationId: async () => (await conversations())[1]._id,
    mergedConversationId: idOf(conversationsToMerge),
    messageId: idOf(message),
    callId: idOf(made),
    noteId: idOf(note),
    attachmentId: idOf(attachment),
    cannedReplyId: idOf(cannedReply),
    viewId: idOf(view),
    apiKeyId: idOf(apiKey),
    webhookId: idOf(webhook),
    otherCustomerId: idOf(other),
    mergedCustomerId: idOf(merged),
    externalId,
    logId: idOf(log),
    integrationId: idOf(integration),
    fileIntegrationId: async () => (await imports()).fileIntegrationId,
    importFileId: idOf(importFile),
    exportId: async () => makeExports(running, { tenantId, attachmentId: await idOf(attachment)(), marker }),
    packageIntegrationId: async () => (await imports()).packageIntegrationId,
    pausedIntegrationId: async () => (await imports()).pausedIntegrationId,
    zohoIntegrationId: async () => (await imports()).zohoIntegrationId,
    runId: async () => (await imports()).runId,
    signInState: () => signedIn(url, { token, path: '/api/extcrm/integrations/connect/zoho', body: {} }),
    mailSignInState: async () =>
      signedIn(url, {
        token,
        path: `/api/v1/inboxes/${await idOf(mailInbox)()}/email-sign-in`,
        body: { provider: 'google' },
      }),
    emptyInboxId: async () => (await post('/api/v1/inboxes', { name: `Empty ${marker}` }))._id,
    signedInInboxId: async () => {
      const { _id: id } = await mailInbox()
      await signInToMailbox(url, { token, id })
      return id
    },
    mailInboxId: idOf(mailInbox),
    approvedRequestId: async () => {
      const id = await requestAccess()
      await call(url, {
        method: 'POST',
        path: `/api/tenant/privacy-requests/${id}/approve`,
        token,
        body: {},
      })
      return id
    },
    privacyRequestId: requestAccess,
    tokens: async () => ({ owner: token, ...(await colleagues()) }),
    deletionRequestId: async () => {
      const path = '/api/data-privacy/deletion-request'
      const { admin } = await colleagues()
      const { body } = await call(url, { method: 'POST', path, token: admin, body: { reason: marker } })
      return body.request.id
    },
    keyWithAll,
    ...visitor,
    failedMailId: async () => makeMail(running, { ...(await mail()), status: 'failed' }),
    queuedMailId: async () => makeMail(running, { ...(await mail()), status: 'queued' }),
    suppressedAddressId: async () => suppressTwo(running, await mail()),
    doorId: async () => failTwo(running, { tenantId, inboxId: (await inbox())._id, marker }),
    mailId: async () => parkMail(running, { token, tenantId, inboxId: (await inbox())._id, marker }),
    draftId: async () => {
      const planned = (await conversations()).map(({ _id }) => _id).reverse()
      return makeDrafts(url, { planned, tokens: { owner: token, key: await keyWithAll() }, marker })
    },
    mentioningId: async () => {
      const { _id: inboxId } = await inbox()
      const { _id } = await post('/api/v1/conversations', { subject: marker, inboxId })
      const body = { type: 'note', content: `@[${owner.user._id}] ${marker}` }
      const key = await keyWithAll()
      const path = `/api/v1/conversations/${_id}/messages`
      await call(url, { method: 'POST', path, token: key, body })
      return (await call(url, { method: 'POST', path, token: key, body })).body.data._id
    },
    invitedUserId: idOf(invited),
    inviteToken: async () => (await invited()).inviteToken,
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

async function signedIn(url: string, asked: { token: string; path: string; body: object }): Promise<string> {
  const { status, body } = await call(url, { method: 'POST', ...asked })
  if (status !== 200) return ''
  // The source grants access immediately and sends the browser to the callback.
  await fetch(body.data.authorizationUrl)
  return body.data.state
}

async function signInToMailbox(url: string, { token, id }: { token: string; id: string }): Promise<void> {
  const path = `/api/v1/inboxes/${id}/email-sign-in`
  const state = await signedIn(url, { token, path, body: { provider: 'google' } })
  const confirmed = { method: 'POST', path: '/api/v1/mail/oauth/google/confirm', token, body: { state } }
  const { status, body } = await call(url, confirmed)
  if (state !== '' && status !== 200) throw new Error(JSON.stringify(body))
}

async function forEachPermission(make: (permission: Permission) => Promise<string>) {
  const made = permissions.map(async (permission) => [permission, await make(permission)])
  return Object.fromEntries(await Promise.all(made)) as Record<Permission, string>
}

/** Sessions of the lesser roles. */
async function createColleagues(running: Pick<RunningService, 'service' | 'url'>, tenantId: TenantId) {
  const { viewer, agent, admin } = await addColleagues(running, {
    tenantId,
    roles: ['viewer', 'agent', 'admin'],
  })
  return { viewer: viewer.token, agent: agent.token, admin: admin.token }
}

/** The chat widget of an inbox, a visitor of it, and what the visitor writes. */
function visitorMakers(
  { url }: Pick<RunningService, 'url'>,
  { token, inbox, marker }: { token: string; inbox: () => Promise<{ _id: string }>; marker: string },
) {
  const widgetKey = once(async (): Promise<string> => {
    const smtp = { host: 'smtp.example.com', port: 587, security: 'starttls' }
    const email = { address: `chat-${marker}@example.com`, transport: 'smtp', smtp }
    const body = { name: `Chat ${marker}`, email }
    const mailing = await call(url, { method: 'POST', path: '/api/v1/inboxes', token, body })
    const widget = { enabled: true, replyByMail: { inboxId: mailing.body.data._id } }
    const path = `/api/v1/inboxes/${(await inbox())._id}`
    const on = await call(url, { method: 'PUT', path, token, body: { widget } })
    return on.body.data.widget.publicKey
  })
  const send = async (asked: { path: string; token?: string; body?: unknown; form?: { file: File } }) => {
    const response = await call(url, { method: 'POST', ...asked, path: `/api/v1/widget/${asked.path}` })
    if (response.status !== 201) throw new Error(`${asked.path}: ${JSON.stringify(response.body)}`)
    return response.body.data
  }
  const visitorToken = once(async (): Promise<string> => {
    const body = { key: await widgetKey(), profile: { firstName: `Vera ${marker}` } }
    return (await send({ path: 'sessions', body })).sessionToken
  })
  const uploadFile = async (): Promise<string> => {
    const file = new File([`Photo of ${marker}`], `${marker}.txt`)
    return (await send({ path: 'attachments', token: await visitorToken(), form: { file } }))._id
  }
  const attached = once(uploadFile)
  const begin = async (attachments: readonly string[]): Promise<string> => {
    const message = { message: `Question of ${marker}`, clientMessageId: randomUUID(), attachments }
    return (await send({ path: 'conversations', token: await visitorToken(), body: message }))._id
  }
  const begun = once(async () => {
    const id = await begin([await attached()])
    await begin([])
    await send({
      path: `conversations/${id}/messages`,
      token: await visitorToken(),
      body: { content: `More of ${marker}`, clientMessageId: randomUUID() },
    })
    return id
  })
  return {
    widgetKey,
    visitorToken,
    widgetConversationId: begun,
    widgetOfferId: async () => {
      const path = `/api/v1/conversations/${await begun()}/messages`
      const body = { content: 'Shall we?', choices: [{ id: 'yes', label: 'Yes' }] }
      return (await call(url, { method: 'POST', path, token, body })).body.data._id
    },
    transcriptConversationId: async () => {
      const id = await begun()
      const asked = { path: '/api/v1/widget/sessions/current', token: await visitorToken() }
      await call(url, { method: 'PUT', ...asked, body: { email: `vera-${marker}@example.com` } })
      return id
    },
    widgetAttachmentId: async () => {
      await begun()
      return attached()
    },
    visitorUploadId: uploadFile,
  }
}
