import { eventTypes } from '@crmkit/core'
import type { Fleet } from './fleet.ts'
import { createLedger, type TenantLedger } from './ledger.ts'
import type { Random } from './random.ts'
import { readBack, type StoredRows } from './read-back.ts'
import { type Behaviour, flaky, healthy, type Receivers } from './receivers.ts'
import { type LoadTenant, openLoadTenant, subscribe } from './tenant.ts'
import {
  type Findings,
  findContradictions,
  findLostRows,
  findUnsentDrafts,
  judgeInbox,
  promisedKeys,
} from './verify.ts'
import { Writer } from './writer.ts'

export interface LoadSetting {
  fleet: Fleet
  receivers: Receivers
  random: Random
  tenants?: number
  writersPerTenant?: number
  /** The average time between two requests of a writer, ms. */
  pauseMs?: number
  /** False where the clocks of writers and servers differ. */
  withSnoozes?: boolean
  /** The flaky receivers refuse the first delivery of one in this many events. */
  failsOneIn?: number
}

interface LoadedTenant extends LoadTenant {
  name: string
  ledger: TenantLedger
}

export interface LoadCounts {
  acknowledged: number
  unknown: number
  refused: number
  unsent: number
}

export interface Load {
  tenants: readonly LoadedTenant[]
  counts(): LoadCounts
  /** Begins to write. */
  start(): void
  /** Resolves when every writer has finished its request. */
  stop(): Promise<void>
  /** Waits until due work is done, then compares the promises with the stored rows. */
  verify(expected: { crashes: number; withinMs?: number }): Promise<Findings & LoadCounts>
}

const maxRetries = 10
const wakeEveryMs = 500

/**
 * Tenants with writers and with three receivers each: one gets all events, one gets one type only, and one fails at
 * first.
 */
export async function openLoad(setting: LoadSetting): Promise<Load> {
  const { fleet, tenants: tenantCount = 2, writersPerTenant = 3, random } = setting
  const { pauseMs = 15, withSnoozes = true } = setting
  const tenants: LoadedTenant[] = []
  for (let i = 1; i <= tenantCount; i++) tenants.push(await openTenant(setting, `tenant-${i}`))
  const writers = tenants.flatMap((tenant) =>
    Array.from({ length: writersPerTenant }, (_, index) => {
      const name = `${tenant.name}-writer-${index + 1}`
      const whenUp = () => fleet.whenUp()
      return new Writer({
        name,
        tenant,
        ledger: tenant.ledger,
        random: random.fork(name),
        whenUp,
        pauseMs,
        withSnoozes,
      })
    }),
  )
  let running: Promise<unknown> = Promise.resolve()
  const counts = () => sumOf(tenants.map(({ ledger }) => ledger.counts))
  return {
    tenants,
    counts,
    start: () => {
      running = Promise.all(writers.map((writer) => writer.run()))
    },
    stop: async () => {
      for (const writer of writers) writer.stop()
      await running
    },
    verify: async (expected) => {
      const found = await Promise.all(tenants.map((tenant) => verifyTenant(setting, tenant, expected)))
      return {
        ...counts(),
        lostRows: found.flatMap(({ lostRows }) => lostRows),
        lostEvents: found.flatMap(({ lostEvents }) => lostEvents),
        contradictions: found.flatMap(({ contradictions }) => contradictions),
        duplicates: found.reduce((sum, { duplicates }) => sum + duplicates, 0),
      }
    },
  }
}

function sumOf(all: readonly LoadCounts[]): LoadCounts {
  const sum = { acknowledged: 0, unknown: 0, refused: 0, unsent: 0 }
  for (const one of all) for (const name of Object.keys(sum) as (keyof LoadCounts)[]) sum[name] += one[name]
  return sum
}

async function openTenant(setting: LoadSetting, name: string): Promise<LoadedTenant> {
  const { fleet, receivers, random, failsOneIn = 10 } = setting
  const url = await fleet.whenUp()
  const tenant = await openLoadTenant(url)
  const wanted: { kind: string; events: readonly string[]; behave: Behaviour }[] = [
    { kind: 'all', events: eventTypes, behave: healthy },
    { kind: 'created', events: ['customer.created'], behave: healthy },
    {
      kind: 'flaky',
      events: ['message.sent', 'conversation.created'],
      behave: flaky(random.fork(name), failsOneIn),
    },
  ]
  for (const { kind, events, behave } of wanted) {
    const receiver = `${name}-${kind}`
    const retryPolicy = { maxRetries, backoffStrategy: 'exponential' as const }
    const { secret } = await subscribe(url, tenant, { url: receivers.urlOf(receiver), events, retryPolicy })
    receivers.open({ name: receiver, tenant: name, secret, events, maxRetries }, behave)
  }
  return { ...tenant, name, ledger: createLedger(name) }
}

async function verifyTenant(
  { fleet, receivers }: LoadSetting,
  { name, ledger, key }: LoadedTenant,
  { crashes, withinMs = 90_000 }: { crashes: number; withinMs?: number },
): Promise<Findings> {
  const endsAt = Date.now() + withinMs
  const left = () => Math.max(0, endsAt - Date.now())
  const inboxes = receivers.inboxes().filter(({ setting }) => setting.tenant === name)
  const stored = await readWhenAwake(await fleet.whenUp(), { key, ledger, left })
  const promised = promisedKeys(ledger, stored)
  const missing = await Promise.all(inboxes.map((inbox) => inbox.waitFor(promised, left())))
  const judged = inboxes.map((inbox) => judgeInbox(inbox, { ledger, stored, crashes }))
  return {
    lostRows: findLostRows(ledger, stored),
    lostEvents: inboxes.flatMap(({ setting }, index) =>
      (missing[index] ?? []).map((event) => `${setting.name}: ${event}`),
    ),
    contradictions: [
      ...findContradictions(ledger, stored),
      ...judged.flatMap(({ contradictions }) => contradictions),
    ],
    duplicates: judged.reduce((sum, { duplicates }) => sum + duplicates, 0),
  }
}

/**
 * Reads everything once no conversation is snoozed and no draft waits: each of the load does so for a second at most. A
 * draft may be sent between the reads of its conversation and of its messages, so the reading that finds all of it over
 * is followed by one more.
 */
async function readWhenAwake(
  url: string,
  { key, ledger, left }: { key: string; ledger: TenantLedger; left: () => number },
): Promise<StoredRows> {
  for (let isOver = false; ; ) {
    const stored = await readBack(url, key)
    if (isOver) return stored
    const isAsleep = [...stored.conversations.values()].some(({ status }) => status === 'snoozed')
    isOver = !isAsleep && findUnsentDrafts(ledger, stored).length === 0
    if (left() === 0) return stored
    if (!isOver) await new Promise((resolve) => setTimeout(resolve, wakeEveryMs))
  }
}
