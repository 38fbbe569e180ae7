import { type AnyOperation, auditActionsOf, isOfWidget, type Operation, operations } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallResponse, call } from '../support/call.ts'
import type { RunningService } from '../support/start-service.ts'
import { startServiceWithCrm } from '../support/start-with-crm.ts'
import { requestOf, strongestTokens } from './credentials.ts'
import { fieldsUsedBy } from './fields-used.ts'
import { samples } from './samples.ts'
import { untilDelivered } from './tenant-snapshot.ts'
import { createSmallWorld, type SmallWorld } from './world.ts'

// Every operation is called once with its sample, in a tenant of its own where it may change something, and a POST a second time
// with the same Idempotency-Key. The tests of an operation look at these two calls.

let running: RunningService
let readWorld: SmallWorld
beforeAll(async () => {
  running = await startServiceWithCrm()
  readWorld = await createSmallWorld(running)
})
afterAll(() => running.stop())

interface Entry {
  action: string
  requestId: string
}

interface Effects {
  world: SmallWorld
  first: CallResponse
  /** The actions of the audit entries that the first call has written. */
  written: string[]
  /** The types of the events that the first call has caused, each once; of a change only. */
  events: string[]
  /** The response to the same request with the same Idempotency-Key; of a POST only. */
  second: CallResponse | undefined
}

async function callTwice(operation: AnyOperation): Promise<Effects> {
  const isRead = operation.method === 'GET'
  const fields = fieldsUsedBy(operation)
  const world = isRead ? readWorld : await createSmallWorld(running, fields)
  // A delivery that is still to be tried is neither missing nor made again.
  if (!isRead && fields.has('logId')) await untilDelivered(running, world)
  const tokens = strongestTokens(operation, world)
  // A read with a key, a change with a session: `matrix.test.ts` proves that the other one may call it too.
  const token = isRead ? tokens.at(-1) : tokens[0]
  const isPost = operation.method === 'POST'
  const headers = { 'idempotency-key': `once-${operation.id}` }
  const request = requestOf(operation, { ...samples[operation.id](world), ...(isPost && { headers }) })
  const before = isRead ? '' : await endOfLog(world)
  const send = () => call(running.url, { ...request, ...(token !== undefined && { token }) })
  const first = await send()
  // The entry of a registration is in the log of the tenant that it created; a sign-out or a new password ends the
  // session.
  const reader = operation.id === 'auth.register' ? first.body.data.accessToken : world.tokens.admin
  const written = await actionsOf(reader, first)
  const events = isRead ? [] : await eventsAfter(world, before)
  return { world, first, written, events, second: isPost ? await send() : undefined }
}

async function actionsOf(token: string, { headers }: CallResponse): Promise<string[]> {
  const { body } = await call(running.url, { path: '/api/tenant/audit-log?limit=100', token })
  const entries: Entry[] = body.data
  const requestId = headers.get('x-request-id')
  return entries.filter((entry) => entry.requestId === requestId).map(({ action }) => action)
}

interface Page {
  data: { event: string; data: { _id: string } }[]
  pagination: { nextCursor: string }
}

async function pageOfLog({ tokens }: SmallWorld, after: string): Promise<Page> {
  const path = `/api/v1/events?limit=100&after=${encodeURIComponent(after)}`
  return (await call(running.url, { path, token: tokens.admin })).body
}

/** Returns the end of the log, behind everything that the world has caused. */
async function endOfLog(world: SmallWorld): Promise<string> {
  const customer = await newCustomer(world)
  let after = 'earliest'
  await expect
    .poll(async () => {
      const { data, pagination } = await pageOfLog(world, after)
      after = pagination.nextCursor
      return data.some(({ data }) => data._id === customer)
    })
    .toBe(true)
  return after
}

/** MongoDB gives events their places after the commit: a later event of a customer says that those before it have theirs. */
async function eventsAfter(world: SmallWorld, after: string): Promise<string[]> {
  const customer = await newCustomer(world)
  let found: Page['data'] = []
  const isLast = ({ data }: Page['data'][number]) => data._id === customer
  await expect
    .poll(async () => {
      found = (await pageOfLog(world, after)).data
      return found.some(isLast)
    })
    .toBe(true)
  return [...new Set(found.slice(0, found.findIndex(isLast)).map(({ event }) => event))]
}

async function newCustomer({ tokens }: SmallWorld): Promise<string> {
  const body = { firstName: 'Last' }
  const made = await call(running.url, {
    method: 'POST',
    path: '/api/v1/customers',
    token: tokens.admin,
    body,
  })
  return made.body.data._id
}

/** Samples that change nothing that an event reports, or nothing of their tenant; each operation's own test causes its events. */
const silentSamples: ReadonlySet<string> = new Set([
  // It founds another tenant.
  'auth.register',
  // The visitor is a stranger.
  'widget.createSession',
  // There are no sample rows.
  'tenant.removeSampleData',
  // The conversation has other labels.
  'conversations.removeLabels',
  // A job reads the mail later.
  'mails.processAgain',
  // The request is neither a deletion nor a restriction.
  'privacyRequests.approve',
  'privacyRequests.reject',
  'privacyRequests.complete',
])

const isNeverRemembered = ({ method, auth, idempotency }: Operation) =>
  method === 'POST' && (auth.kind === 'none' || idempotency === 'never')

/** A stream does not end; `http/event-stream.test.ts` reads them. */
const ending = operations.filter((operation) => !('isStream' in operation))

describe.each(ending.map((operation) => [operation.id, operation] as const))(
  '%s',
  (id, operation: AnyOperation) => {
    const { method, status, idempotency }: Operation = operation
    let called: Promise<Effects> | undefined
    const effects = () => {
      called ??= callTwice(operation)
      return called
    }

    it('succeeds with the right credential', async () => {
      const { world, first } = await effects()
      if ('download' in operation) expect(first.body).toContain(world.marker)
      else expect(first.body).toMatchObject({ success: true })
      expect(first.status).toBe(status)
      expect(first.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
      expect(first.headers.get('x-api-version')).toBe('v1')
    })

    if (method !== 'GET' || 'audit' in operation) {
      it('writes the audit entry that it declares, and no other', async () => {
        const { written } = await effects()
        const declared = auditActionsOf(operation)
        const message = `${id} declares ${declared.join(' or ')} in packages/core/src/<area>/*-operations.ts; its sample is in packages/server/test/isolation/samples.ts`
        const actions = written.length === 0 ? ['none'] : written
        expect(actions, message).toHaveLength(1)
        expect(declared, message).toContain(actions[0])
      })
    }

    if (method !== 'GET') {
      it('causes no event but those that it declares, and one of them where it declares any', async () => {
        const { events } = await effects()
        const { emits = [] }: Operation = operation
        expect(emits).toEqual(expect.arrayContaining(events))
        if (emits.length > 0 && !silentSamples.has(id)) expect(events).not.toEqual([])
      })
    }

    if (isNeverRemembered(operation)) {
      it('ignores an Idempotency-Key', async () => {
        const { first, second } = await effects()
        for (const response of [first, second])
          expect(response?.headers.get('idempotency-replayed')).toBeNull()
      })
    } else if (method === 'POST') {
      it('does its work once for one Idempotency-Key, and marks the second response as a replay [own.idempotency]', async () => {
        const { first, second } = await effects()
        expect(first.headers.get('idempotency-replayed')).toBeNull()
        if (idempotency === 'secret') {
          expect([second?.status, second?.body.code]).toEqual([409, 'CONFLICT'])
          expect(second?.body.details).toEqual({ _id: first.body.data._id })
          return
        }
        expect([second?.status, second?.headers.get('idempotency-replayed')]).toEqual([first.status, 'true'])
        expect(second?.body).toEqual(first.body)
      })
    }
  },
)

it('excludes sign-ins, visitors of the widget, capability tokens, samples of files and passwords from replays, and no other operation', () => {
  const others = operations.filter(
    (operation) =>
      isNeverRemembered(operation) && !operation.id.startsWith('auth.') && !isOfWidget(operation),
  )
  expect(others.map(({ id }) => id)).toEqual([
    'tenant.createExport',
    'inboxes.startEmailSignIn',
    'telephony.createToken',
    'integrations.connect',
    'imports.uploadFile',
  ])
})
