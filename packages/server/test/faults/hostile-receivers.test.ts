import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { call } from '../support/call.ts'
import { failuresOf, startFaultRun } from './support/fault-run.ts'
import { hostileBehaviours, startBrokenReceivers } from './support/hostile-receivers.ts'
import { subscribe } from './support/tenant.ts'
import { sqliteWorld } from './support/worlds.ts'

const loadMs = 2500
const logWithinMs = 30_000
const subscription = { events: ['customer.created'], retryPolicy: { maxRetries: 1 } }

/** The log's entry about each receiver's first attempt. */
const expectedCodes = {
  hang: 'TIMEOUT',
  reset: 'CONNECT',
  'byte-by-byte': 'TIMEOUT',
  // The response is cut off after 64 KB; its status was a success.
  huge: null,
  redirect: 'REDIRECT',
  'error-500': 'STATUS',
  'error-429': 'STATUS',
  'gone-410': 'STATUS',
  'no-tls': 'TLS',
  'unknown-certificate': 'TLS',
  'half-a-header': 'CONNECT',
  'no-http': 'BODY',
}

it('every event reaches the healthy receivers, however badly the others behave, and the log says how they behaved', async () => {
  const run = await startFaultRun({ world: sqliteWorld(), seed: 7, load: { pauseMs: 30 } })
  const { fleet, load, receivers } = run
  const [tenant] = load.tenants
  if (tenant === undefined) throw new Error('The load has no tenant')
  const url = await fleet.whenUp()
  const broken = await startBrokenReceivers(run.certificate)
  const webhookIds = new Map<string, string>()
  for (const [name, behave] of Object.entries(hostileBehaviours)) {
    const { _id, secret } = await subscribe(url, tenant, { ...subscription, url: receivers.urlOf(name) })
    receivers.open({ name, tenant: 'hostile', secret, events: subscription.events, maxRetries: 1 }, behave)
    webhookIds.set(name, _id)
  }
  for (const [name, address] of Object.entries(broken.urls)) {
    webhookIds.set(name, (await subscribe(url, tenant, { ...subscription, url: address }))._id)
  }
  await delay(loadMs)
  await fleet.members[0]?.kill()
  await delay(loadMs)
  await load.stop()
  const codes = new Map<string, unknown>()
  for (const [name, id] of webhookIds) {
    const logs = await finishedLogs(await fleet.whenUp(), { key: tenant.key, id })
    codes.set(name, logs[0]?.errorCode)
    expect(Math.max(...logs.map(({ attempt }) => attempt))).toBeLessThanOrEqual(2)
  }
  expect(Object.fromEntries(codes)).toEqual(expectedCodes)
  const gone = await call(await fleet.whenUp(), {
    path: `/api/v1/webhooks/${webhookIds.get('gone-410')}`,
    token: tenant.key,
  })
  expect(gone.body.data.isActive).toBe(false)
  const report = await run.finish({ crashes: 1 })
  await broken.close()
  expect(failuresOf(report)).toEqual([])
})

interface Log {
  attempt: number
  status: string
  errorCode: string | null
}

/** The attempts that were made, once there is one. */
async function finishedLogs(url: string, { key, id }: { key: string; id: string }): Promise<Log[]> {
  const endsAt = Date.now() + logWithinMs
  for (;;) {
    const response = await call(url, { path: `/api/v1/webhooks/${id}/logs?limit=100`, token: key })
    const ended = (response.body.data.logs as Log[]).filter(
      ({ status, errorCode }) => status !== 'pending' && errorCode !== 'ERASED',
    )
    if (ended.length > 0) return ended
    if (Date.now() > endsAt) throw new Error(`No attempt has ended: ${JSON.stringify(response.body)}`)
    await delay(100)
  }
}
