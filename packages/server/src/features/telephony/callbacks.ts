import {
  type CallReport,
  type CallStatus,
  callAfterReport,
  type IdFactory,
  isPhoneNumber,
  newCall,
  notFound,
  type StoredCall,
} from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { peopleOfPhone } from '../../shared/people-of-phone.ts'
import { isOnline } from '../../shared/user-of-record.ts'
import { type Stored, type TenantId, withoutVersion } from '../../storage/records.ts'
import { insertCall, updateCall } from './call-changes.ts'
import { clientNameOf, clientOf } from './client-name.ts'
import { busy, dial, nothingToDo } from './twiml.ts'

export interface CallbackContext {
  store: TenantReads
  tenantId: TenantId
  ids: IdFactory
  now: string
  /** The tenant's own numbers. */
  numbers: readonly string[]
  /** Address that the provider reports the progress of a call to. */
  statusUrl: string
}

/** The reply to the provider, and the change that is committed before it. */
export interface CallbackOutcome {
  twiml: string
  change?: Change
  /**
   * The reply where a quota refuses the change. Without it the change is made beyond the quota: nobody can take back a
   * call that comes in, and its record would be lost.
   */
  twimlBeyondQuota?: string
}

/**
 * Handles a request whose signature was checked. Runs again on fresh rows when its commit conflicts. Throws NOT_FOUND for
 * a call that has nothing to do with the tenant.
 */
export type CallbackHandler = (ctx: CallbackContext, form: URLSearchParams) => Promise<CallbackOutcome>

export const callbackHandlers = {
  voice: handleVoice,
  status: handleStatus,
  recording: handleRecording,
} as const satisfies Record<string, CallbackHandler>

/** The provider asks what to do with a call that begins: of a browser, or to a number of the tenant. */
async function handleVoice(ctx: CallbackContext, form: URLSearchParams): Promise<CallbackOutcome> {
  const { store, numbers, statusUrl } = ctx
  const agent = clientOf(form.get('From') ?? '')
  if (agent === undefined) return handleInbound(ctx, form)
  const to = form.get('customerPhone') ?? form.get('To') ?? ''
  const [callerId] = numbers
  const user = await store.users.find(agent.userId)
  if (agent.tenantId !== ctx.tenantId || !user?.isActive) throw notFound()
  if (callerId === undefined || !isPhoneNumber(to)) return { twiml: busy }
  const fields = { direction: 'outbound', from: callerId, to, agentId: agent.userId } as const
  const twiml = dial({ targets: [{ noun: 'Number', name: to }], callerId, statusUrl })
  return { twiml, twimlBeyondQuota: busy, ...(await firstReport(ctx, form, fields)) }
}

async function handleInbound(ctx: CallbackContext, form: URLSearchParams): Promise<CallbackOutcome> {
  const { tenantId, statusUrl } = ctx
  const fields = inboundFields(ctx, form)
  if (fields === undefined) throw notFound()
  const agents = await findAvailableAgents(ctx.store, ctx.now)
  const targets = agents.map((userId) => ({
    noun: 'Client' as const,
    name: clientNameOf({ tenantId, userId }),
  }))
  const twiml = targets.length === 0 ? busy : dial({ targets, callerId: fields.from ?? fields.to, statusUrl })
  return { twiml, ...(await firstReport(ctx, form, fields)) }
}

interface Fields {
  direction: StoredCall['direction']
  from: string | null
  to: string
  agentId?: string
}

function inboundFields({ numbers }: CallbackContext, form: URLSearchParams): Fields | undefined {
  const to = form.get('To') ?? ''
  const from = form.get('From') ?? ''
  if (!numbers.includes(to)) return undefined
  return { direction: 'inbound', from: isPhoneNumber(from) ? from : null, to }
}

/** Stores a call that is not known yet. */
async function firstReport(
  ctx: CallbackContext,
  form: URLSearchParams,
  fields: Fields,
): Promise<{ change?: Change }> {
  const known = await findCall(ctx.store, form)
  if (known !== undefined) return {}
  const callSid = form.get('CallSid')
  if (!callSid) throw notFound()
  const call = await callOf(ctx, { ...fields, callSid })
  return { change: (await insertCall(call, ctx)).change }
}

async function callOf(ctx: CallbackContext, fields: Fields & { callSid: string }): Promise<StoredCall> {
  const { store, ids, tenantId, now } = ctx
  const phone = fields.direction === 'inbound' ? fields.from : fields.to
  const customerId = phone === null ? null : await findCustomerByPhone(store, phone)
  return newCall({ ...fields, customerId }, { id: ids.next('cal'), tenantId, now })
}

/** A number that two customers have says of neither that it is them. */
async function findCustomerByPhone(store: TenantReads, phone: string): Promise<string | null> {
  const [one, ...others] = await peopleOfPhone(store, phone)
  return one === undefined || others.length > 0 ? null : one._id
}

/** The provider rings at most this many browsers at once. */
const targetsMax = 10

async function findAvailableAgents(store: TenantReads, now: string): Promise<string[]> {
  const { rows } = await store.users.listRows({ page: 1, limit: 100 })
  return rows
    .filter((user) => user.role !== 'viewer' && isOnline(user, now))
    .slice(0, targetsMax)
    .map(({ _id }) => _id)
}

const statuses: Readonly<Record<string, CallStatus>> = {
  queued: 'initiated',
  initiated: 'initiated',
  ringing: 'ringing',
  'in-progress': 'answered',
  answered: 'answered',
  completed: 'completed',
  busy: 'failed',
  failed: 'failed',
  'no-answer': 'failed',
  canceled: 'failed',
}

async function handleStatus(ctx: CallbackContext, form: URLSearchParams): Promise<CallbackOutcome> {
  const { store, now } = ctx
  const status = statuses[form.get('CallStatus') ?? '']
  if (status === undefined) return { twiml: nothingToDo }
  const report: CallReport = {
    status,
    at: timeOf(form, now),
    failureReason: status === 'failed' ? form.get('CallStatus') : null,
    durationSeconds: secondsOf(form.get('CallDuration')),
  }
  const known = await findCall(store, form)
  if (known === undefined) return reportUnknown(ctx, form, report)
  if (saysNothing(known, { status, isDialled: form.has('ParentCallSid') })) return { twiml: nothingToDo }
  const before = withoutVersion(known)
  const after = callAfterReport(before, report, now)
  if (after === before) return { twiml: nothingToDo }
  return { twiml: nothingToDo, change: (await updateCall(known, after, ctx)).change }
}

/**
 * Returns whether the report of one side says nothing about the whole call. The agent's own side of an outbound call is up
 * before the customer's. Of the browsers that ring for an inbound call, only one takes it.
 */
function saysNothing(
  { direction }: StoredCall,
  { status, isDialled }: { status: CallStatus; isDialled: boolean },
): boolean {
  if (direction === 'inbound') return isDialled && status === 'failed'
  return !isDialled && (status === 'ringing' || status === 'answered')
}

/** A call whose beginning was not reported becomes a call of its own when it came to a number of the tenant. */
async function reportUnknown(
  ctx: CallbackContext,
  form: URLSearchParams,
  report: CallReport,
): Promise<CallbackOutcome> {
  const fields = inboundFields(ctx, form)
  const callSid = form.get('ParentCallSid') ?? form.get('CallSid')
  if (fields === undefined || !callSid) throw notFound()
  const first = await callOf(ctx, { ...fields, callSid })
  const { change } = await insertCall(callAfterReport(first, report, ctx.now), ctx)
  return { twiml: nothingToDo, change }
}

async function handleRecording(ctx: CallbackContext, form: URLSearchParams): Promise<CallbackOutcome> {
  const { store, now } = ctx
  const known = await findCall(store, form)
  if (known === undefined) throw notFound()
  const url = form.get('RecordingUrl')
  // A failed or absent recording is no recording, and a repeated report changes nothing.
  if (form.get('RecordingStatus') !== 'completed' || !url || known.recording.available)
    return { twiml: nothingToDo }
  const recording = { available: true, url, durationSeconds: secondsOf(form.get('RecordingDuration')) }
  const after: StoredCall = { ...withoutVersion(known), recording, updatedAt: now }
  return { twiml: nothingToDo, change: (await updateCall(known, after, ctx)).change }
}

/** The report of a leg that was dialled names the call that it belongs to as its parent. */
async function findCall(store: TenantReads, form: URLSearchParams): Promise<Stored<StoredCall> | undefined> {
  for (const name of ['ParentCallSid', 'CallSid']) {
    const callSid = form.get(name)
    if (!callSid) continue
    const { rows } = await store.calls.listRows({ callSid, page: 1, limit: 1 })
    if (rows[0] !== undefined) return rows[0]
  }
  return undefined
}

function timeOf(form: URLSearchParams, now: string): string {
  const time = Date.parse(form.get('Timestamp') ?? '')
  return Number.isNaN(time) ? now : new Date(time).toISOString()
}

function secondsOf(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}
