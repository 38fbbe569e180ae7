import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Failure, notFound } from '@crmkit/core'
import {
  type CallbackHandler,
  type CallbackOutcome,
  callbackHandlers,
} from '../../features/telephony/callbacks.ts'
import { clientOf } from '../../features/telephony/client-name.ts'
import type { Log, RequestLog } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import type { Reservation } from '../../ports/row-quotas.ts'
import type { TelephonyProvider } from '../../ports/telephony-provider.ts'
import { isoTime } from '../../shared/clock.ts'
import { clientAddress, type TrustedProxies } from '../credentials/client-address.ts'
import type { ApiHandler } from '../pipeline/mount-operations.ts'
import { type RequestLimits, tooManyRequests } from '../pipeline/rate-limit.ts'
import type { RunParts } from '../pipeline/run-handler.ts'
import { readUrlForm } from '../request/read-url-form.ts'
import { replyToError } from '../response/handle-error.ts'
import { type Reply, sendReply } from '../response/send-reply.ts'

interface CallbackParts extends Pick<RunParts, 'storage' | 'clock' | 'ids' | 'conflictRetries' | 'quotas'> {
  telephony: TelephonyProvider | undefined
  limits: RequestLimits
  log: Log
  requestLog: RequestLog
  meters: Pick<Meters, 'errorReplied' | 'callbackRefused'>
  trustedProxies: TrustedProxies
  baseUrl: string | undefined
}

/** The callbacks are no operations: they carry forms and get XML. */
export const callbackPrefix = '/api/telephony/providers/'
const pattern = /^\/api\/telephony\/providers\/twilio\/(voice|status|recording)(?:\?(.*))?$/

/** Serves the requests of the telephony provider. The signature is their credential; it covers the address and the form. */
export function createProviderCallbacks(parts: CallbackParts): ApiHandler {
  return async (req, res) => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    const [, name, query = ''] = pattern.exec(req.url ?? '') ?? []
    const fields = {
      requestId,
      method: req.method ?? 'POST',
      path: `${callbackPrefix}twilio/${name ?? 'unknown'}`,
    }
    let reply: Reply
    try {
      reply = await handle(parts, req, { name, query })
    } catch (error) {
      reply = replyToError(error, { ...parts, request: fields })
    }
    sendReply(res, reply, { requestId, isLegacy: false, limit: undefined })
    const ms = Math.round((performance.now() - startedAt) * 10) / 10
    parts.requestLog.note({ ...fields, status: reply.status, ms })
  }
}

interface Target {
  /** Undefined: there is no such callback. */
  name: string | undefined
  query: string
}

async function handle(parts: CallbackParts, req: IncomingMessage, { name, query }: Target): Promise<Reply> {
  try {
    if (name === undefined) throw notFound()
    if (req.method !== 'POST') {
      throw new Failure('METHOD_NOT_ALLOWED', 'This path takes POST', { headers: { Allow: 'POST' } })
    }
    const form = await readUrlForm(req)
    assertSigned(parts, req, form)
    const tenant = await findTenant(parts, { query, form })
    const { twiml } = await run(parts, { name: name as keyof typeof callbackHandlers, tenant, form })
    return { status: 200, body: twiml, headers: { 'Content-Type': 'text/xml; charset=utf-8' } }
  } catch (error) {
    if (error instanceof Failure && error.code !== 'NOT_FOUND') await countRefusal(parts, req)
    throw error
  }
}

/** A signed request is never limited: the provider sends it once more at most. */
async function countRefusal({ limits, trustedProxies }: CallbackParts, req: IncomingMessage): Promise<void> {
  const state = await limits.takeAnonymous(clientAddress(req, trustedProxies))
  if (state?.isRefused) throw tooManyRequests(state)
}

function assertSigned(
  { telephony, baseUrl, log, meters }: CallbackParts,
  req: IncomingMessage,
  form: URLSearchParams,
): void {
  const header = req.headers['x-twilio-signature']
  // The configuration demands the base URL beside the settings of a provider.
  const url = `${baseUrl ?? ''}${req.url ?? ''}`
  const signature = Array.isArray(header) ? undefined : header
  if (telephony?.isSigned({ url, form, signature })) return
  meters.callbackRefused()
  log.warn(
    { hasSignature: signature !== undefined },
    'Refused a telephony callback: its signature is not valid',
  )
  throw new Failure('PERMISSION_DENIED', 'The signature of this callback is not valid')
}

type CalledTenant = NonNullable<Awaited<ReturnType<RunParts['storage']['system']['findTenant']>>>

/** The tenant of the signed address, or of the browser that calls. A callback that names two tenants is of neither. */
async function findTenant(
  { storage }: CallbackParts,
  { query, form }: { query: string; form: URLSearchParams },
): Promise<CalledTenant> {
  const named = new URLSearchParams(query).get('tenant') ?? undefined
  const calling = clientOf(form.get('From') ?? '')?.tenantId
  const id = named ?? calling
  if (id === undefined || (calling !== undefined && calling !== id)) throw notFound()
  const tenant = await storage.system.findTenant(id)
  if (tenant === undefined || tenant.isSuspended) throw notFound()
  return tenant
}

interface Callback {
  name: keyof typeof callbackHandlers
  tenant: CalledTenant
  form: URLSearchParams
}

function run(parts: CallbackParts, { name, tenant, form }: Callback): Promise<CallbackOutcome> {
  const { storage, clock, ids, conflictRetries, baseUrl = '' } = parts
  const { tenantId, phoneNumbers: numbers = [] } = tenant
  const store = storage.forTenant(tenantId)
  const handler: CallbackHandler = callbackHandlers[name]
  const call = form.get('ParentCallSid') ?? form.get('CallSid') ?? ''
  return conflictRetries.run({ resource: `${tenantId} call ${call}`, tenant: tenantId }, async () => {
    const statusUrl = `${baseUrl}${callbackPrefix}twilio/status?tenant=${tenantId}`
    const now = isoTime(clock.nowMs())
    const outcome = await handler({ store, tenantId, ids, now, numbers, statusUrl }, form)
    return commit(parts, tenant, outcome)
  })
}

/** Commits within the quotas of the tenant, or beyond them where the outcome cannot be refused. */
async function commit(
  { storage, quotas, log }: CallbackParts,
  { tenantId, limits: tenantLimits }: CalledTenant,
  outcome: CallbackOutcome,
): Promise<CallbackOutcome> {
  const { change, twimlBeyondQuota } = outcome
  if (change === undefined) return outcome
  let reservation: Reservation | undefined
  try {
    reservation = await quotas.admit({ tenantId, tenantLimits }, change.writes)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'QUOTA_EXCEEDED') throw error
    if (twimlBeyondQuota !== undefined) return { twiml: twimlBeyondQuota }
    log.warn({ tenantId }, 'An inbound call is stored beyond the quota of its tenant')
  }
  try {
    await storage.forTenant(tenantId).commit(change)
  } finally {
    reservation?.end()
  }
  return outcome
}
