import { randomBytes } from 'node:crypto'
import {
  activeSending,
  assertRemovable,
  changesBetween,
  completeEmail,
  type createInbox,
  type deleteInbox,
  type Inbox,
  type InboxEmail,
  newInbox,
  noEmailSettings,
  notFound,
  type Problem,
  referenceFailure,
  type UpdateInboxBody,
  updatedInbox,
  type updateInbox,
  validationFailure,
} from '@crmkit/core'
import { mailKeyWrite } from '../../mail/addresses/mail-key.ts'
import type { Change, Write } from '../../ports/change.ts'
import type { MailSender } from '../../ports/mail-sender.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { autoAssignOf } from '../../shared/auto-assign.ts'
import { withEarlierSignature } from '../../shared/earlier-signatures.ts'
import { findDefaultInbox } from '../../shared/find-default-inbox.ts'
import { openMailSecrets, sealMailSecrets, secretsOfSettings } from '../../shared/mail-secrets.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { completeWidget } from '../../shared/widget-page.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import { mailKeyId } from '../../storage/kinds/mail-keys.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { assertMailsForNobody, mailingInboxField, replyByMailGuard } from './reply-by-mail.ts'
import { revokeGrant } from './revoke-grant.ts'
import { showInbox } from './show-inbox.ts'

// The key names the inbox in a public page, so it is not secret; but nobody may be able to guess another inbox's key.
const newWidgetKey = () => `wpk_${randomBytes(18).toString('base64url')}`

export const handleCreateInbox: Handler<typeof createInbox> = async (ctx, { body }) => {
  const { store, ids, tenantId, now } = ctx
  assertMailServers(ctx.services.mailSender, body)
  assertSignedIn(noEmailSettings, body)
  await assertReferences(store, body)
  const inbox = newInbox(body, { id: ids.next('inb'), tenantId, now, widgetKey: newWidgetKey() })
  const change: Change = {
    writes: [{ op: 'insert', kind: 'inboxes', row: inbox }, ...(await mailKeyWrites(ctx, inbox))],
    events: [],
    ...(await replyByMailGuard(store, { body, inbox })),
  }
  return {
    change: inbox.isDefault ? await withDefaultMoved(store, { change, inbox }) : change,
    audit: { action: 'inbox.created', target: { type: 'inbox', _id: inbox._id } },
    reply: { success: true, data: await showInbox(ctx, inbox) },
  }
}

export const handleUpdateInbox: Handler<typeof updateInbox> = async (ctx, { params: { id }, body }) => {
  const { store, now } = ctx
  const stored = await store.inboxes.find(id)
  if (stored === undefined) throw notFound()
  assertMailServers(ctx.services.mailSender, body)
  await assertReferences(store, body)
  const before = {
    ...withoutVersion(stored),
    autoAssign: autoAssignOf(stored),
    widget: completeWidget(stored),
    email: completeEmail(stored.email),
    sending: stored.sending ?? activeSending,
  }
  assertSignedIn(before.email, body)
  const inbox = updatedInbox(before, body, { now, widgetKey: newWidgetKey() })
  const changed = Object.keys(changesBetween(before, inbox))
  if (changed.length === 0) return { reply: { success: true, data: await showInbox(ctx, before) } }
  const { _id, tenantId: _tenant, createdAt: _created, ...fields } = inbox
  const email = withEarlierSignature(inbox.email, { before: before.email, now })
  const set = { ...fields, email, ...keptMailSecrets(ctx, { before, email }) }
  const update: Write = { op: 'update', kind: 'inboxes', id: _id, expectVersion: stored.version, set }
  const guard = await replyByMailGuard(store, { body, inbox })
  const change: Change = { writes: [update, ...(await mailKeyWrites(ctx, inbox))], events: [], ...guard }
  const isMadeDefault = inbox.isDefault && !before.isDefault
  return {
    change: isMadeDefault ? await withDefaultMoved(store, { change, inbox }) : change,
    audit: { action: 'inbox.updated', target: { type: 'inbox', _id: id }, changed },
    reply: { success: true, data: await showInbox(ctx, inbox) },
  }
}

export const handleDeleteInbox: Handler<typeof deleteInbox> = async (ctx, { params: { id } }) => {
  const { store, ids, tenantId, now } = ctx
  const expectTenantVersion = await store.version()
  const inbox = await store.inboxes.find(id)
  if (inbox === undefined) throw notFound()
  const filter = { inboxId: id, page: 1, limit: 1, sort: '-createdAt' } as const
  assertRemovable(inbox, (await store.conversations.listRows(filter)).rows.length)
  await assertMailsForNobody(store, id)
  await revokeGrant(ctx, inbox)
  const cursor = await store.mailCursors.find(id)
  const task = { _id: ids.next('tsk'), tenantId, type: 'emptyInbox' } as const
  return {
    change: {
      writes: [
        removalOf('inboxes', inbox),
        ...(cursor ? [removalOf('mailCursors', cursor)] : []),
        // Another commit may put a conversation into the inbox at this moment.
        { op: 'insert', kind: 'tasks', row: { ...task, subjectId: id, targetId: null, requestedAt: now } },
      ],
      events: [],
      expectTenantVersion,
    },
    audit: { action: 'inbox.deleted', target: { type: 'inbox', _id: id } },
    reply: { success: true, message: 'Inbox deleted' },
  }
}

/** Throws VALIDATION_ERROR for a mail server at which no tenant may have this service connect. */
function assertMailServers(
  { checkServer }: Pick<MailSender, 'checkServer'>,
  { email }: Pick<UpdateInboxBody, 'email'>,
): void {
  const problems = (['imap', 'smtp'] as const).flatMap((name): Problem[] => {
    const { host, port, auth } = email?.[name] ?? {}
    const isNamed = auth !== 'oauth' && typeof host === 'string' && typeof port === 'number'
    const problem = isNamed ? checkServer({ host, port }) : undefined
    return problem ? [{ field: `email.${name}.host`, ...problem, in: 'body' }] : []
  })
  if (problems.length > 0) throw validationFailure(problems)
}

/** Throws VALIDATION_ERROR for a server of a sign-in that nobody has made: the sign-in says which server it is. */
function assertSignedIn({ oauth }: InboxEmail, { email }: Pick<UpdateInboxBody, 'email'>): void {
  if (oauth !== null) return
  const problems = (['imap', 'smtp'] as const).flatMap((name): Problem[] => {
    if (email?.[name]?.auth !== 'oauth') return []
    const message = 'needs a sign-in at the provider of the mailbox first'
    return [{ field: `email.${name}.auth`, message, rule: 'sign_in', in: 'body' }]
  })
  if (problems.length > 0) throw validationFailure(problems)
}

/** The first address of a tenant makes the key that signs its mail. */
async function mailKeyWrites(
  { store, services, tenantId, now }: HandlerContext,
  { email }: Pick<Inbox, 'email'>,
): Promise<Write[]> {
  if (email.address === null || (await store.mailKeys.find(mailKeyId)) !== undefined) return []
  return [mailKeyWrite(services.secrets, { tenantId, now })]
}

/** Returns the sealed secrets without those of a server or a domain that the settings no longer name. */
function keptMailSecrets(
  { services: { secrets: box } }: Pick<HandlerContext, 'services'>,
  { before, email }: { before: InboxRecord; email: InboxEmail },
): Pick<InboxRecord, 'mailSecrets'> {
  if (!before.mailSecrets) return {}
  const secrets = secretsOfSettings(openMailSecrets(box, before), email)
  return { mailSecrets: sealMailSecrets(box, before, secrets) }
}

/** Throws VALIDATION_ERROR with every member, and the inbox that mails, that is not there. */
async function assertReferences(
  store: TenantReads,
  { members, widget }: Pick<UpdateInboxBody, 'members' | 'widget'>,
): Promise<void> {
  const mailingId = widget?.replyByMail?.inboxId ?? null
  const [mailing, ...found] = await Promise.all([
    mailingId === null ? null : store.inboxes.find(mailingId),
    ...(members ?? []).map((id) => store.users.find(id)),
  ])
  const missing = found.flatMap((user, index) => (user === undefined ? [`members.${index}`] : []))
  if (mailing === undefined) missing.push(mailingInboxField)
  if (missing.length > 0) throw referenceFailure(...missing)
}

interface Moving {
  change: Change
  inbox: Inbox
}

/** Moves the default in one commit. Two moves at the same time conflict, so there is always exactly one default. */
async function withDefaultMoved(store: TenantReads, { change, inbox }: Moving): Promise<Change> {
  const expectTenantVersion = await store.version()
  const former = await findDefaultInbox(store)
  if (former !== undefined && former._id !== inbox._id) {
    const set = { isDefault: false, updatedAt: inbox.updatedAt }
    const { _id: id, version: expectVersion } = former
    change.writes.push({ op: 'update', kind: 'inboxes', id, expectVersion, set })
  }
  return { ...change, expectTenantVersion }
}
