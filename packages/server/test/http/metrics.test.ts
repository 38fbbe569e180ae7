import { areaOf, doorNames, errorStatus, inboundMailReasons, operations } from '@crmkit/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { budgetNames } from '../../src/fairness/budgets.ts'
import { jobBacklogs, jobNames } from '../../src/main/compose/job-registry.ts'
import { storedKinds } from '../../src/storage/kinds/derive.ts'
import { quotaRules } from '../../src/storage/kinds/quotas.ts'
import { upgradeSteps } from '../../src/upgrades/steps.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import {
  makeCertificate,
  startReceiver,
  type TestCertificate,
  type TestReceiver,
} from '../support/https-receiver.ts'
import { openStream } from '../support/open-stream.ts'
import { type Scrape, scrape } from '../support/read-metrics.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let running: RunningService
let certificate: TestCertificate
let receiver: TestReceiver
let owner: Awaited<ReturnType<typeof registerTenant>>

beforeAll(async () => {
  certificate = await makeCertificate()
  receiver = await startReceiver(certificate, (req, res) => {
    // So long that no retry comes before the end of the test.
    res.writeHead(req.url === '/failing' ? 503 : 200, { 'Retry-After': '600' }).end()
  })
  running = await startService({ CRM_METRICS_PORT: '0', CRM_WEBHOOK_CA_FILE: certificate.caFile })
  owner = await registerTenant(running.url)
})
afterAll(async () => {
  await running.stop()
  await receiver.close()
  certificate.remove()
})

const read = () => scrape(running.metricsUrl ?? '')
const send = (method: string, path: string, body?: unknown, token = owner.token) =>
  call(running.url, { method, path, token, body })

/** Every metric with its type. A dashboard or an alert of an operator depends on each of them. */
const declared = {
  crm_build_info: 'gauge',
  crm_commit_duration_seconds: 'histogram',
  crm_credential_cache_lookups_total: 'counter',
  crm_deliveries_pending: 'gauge',
  crm_delivery_attempts_total: 'counter',
  crm_delivery_delay_seconds: 'histogram',
  crm_delivery_duration_seconds: 'histogram',
  crm_delivery_oldest_due_seconds: 'gauge',
  crm_disk_full: 'gauge',
  crm_event_loop_active_seconds_total: 'counter',
  crm_event_loop_delay_seconds: 'histogram',
  crm_event_sequencing_lag_seconds: 'gauge',
  crm_event_stream_delay_seconds: 'histogram',
  crm_event_streams: 'gauge',
  crm_events_unsequenced: 'gauge',
  crm_http_errors_total: 'counter',
  crm_http_request_duration_seconds: 'histogram',
  crm_http_requests_total: 'counter',
  crm_job_polls_total: 'counter',
  crm_job_queue_up: 'gauge',
  crm_mails_ignored_total: 'counter',
  crm_doors_failing: 'gauge',
  crm_mail_recipients_total: 'counter',
  crm_mail_resting: 'gauge',
  crm_mails_parked_total: 'counter',
  crm_quota_refusals_total: 'counter',
  crm_refused_total: 'counter',
  crm_attachment_requests_total: 'counter',
  crm_damaged_rows_total: 'counter',
  crm_rows_to_upgrade: 'gauge',
  crm_snooze_overdue_seconds: 'gauge',
  crm_storage_up: 'gauge',
  crm_task_oldest_seconds: 'gauge',
  crm_work_late_after_seconds: 'gauge',
  crm_work_oldest_due_seconds: 'gauge',
  crm_tasks_pending: 'gauge',
  crm_telephony_callbacks_refused_total: 'counter',
  nodejs_heap_size_used_bytes: 'gauge',
  nodejs_external_memory_bytes: 'gauge',
  nodejs_array_buffers_bytes: 'gauge',
  process_cpu_seconds_total: 'counter',
  process_resident_memory_bytes: 'gauge',
  process_start_time_seconds: 'gauge',
}
/** Only some systems have them: the free space of a disk of our own, and open files. */
const optional = ['crm_disk_free_bytes', 'process_open_fds']

test('the metrics have their documented names and types, each with a line of help, and no other one exists', async () => {
  const { types, text } = await read()
  const present = Object.fromEntries(Object.entries(types).filter(([name]) => !optional.includes(name)))
  expect(present).toEqual(declared)
  for (const name of Object.keys(types)) expect(text).toMatch(new RegExp(`^# HELP ${name} .{20,}\\.$`, 'm'))
})

test('a listener of its own serves the metrics as text, and nothing else; the API does not have them', async () => {
  const url = running.metricsUrl ?? ''
  const response = await fetch(url)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const statusOf = async (path: string, method = 'GET') =>
    (await fetch(new URL(path, url), { method })).status
  expect(await statusOf('/')).toBe(404)
  expect(await statusOf('/api/v1/health')).toBe(404)
  expect(await statusOf('/metrics', 'POST')).toBe(405)
  expect(new URL(url).hostname).toBe('127.0.0.1')
  expect((await fetch(`${running.url}/metrics`)).status).toBe(404)
})

/** The rise of a metric while work is done; polled, because some work ends after its response. */
async function risen(work: () => Promise<unknown>, expected: readonly Rise[]): Promise<void> {
  const before = await read()
  await work()
  const riseOf = (now: Scrape, { name, labels }: Rise) => now.sum(name, labels) - before.sum(name, labels)
  await expect
    .poll(async () => {
      const now = await read()
      return expected.map((rise) => ({ ...rise, by: riseOf(now, rise) }))
    })
    .toEqual(expected)
}

interface Rise {
  name: string
  labels?: Readonly<Record<string, string>>
  by: number
}

test('requests are counted and timed by method, template and class of the status, and errors by their code', async () => {
  const path = '/api/v1/customers/{id}'
  const get = { method: 'GET', path }
  const work = async () => {
    const { body } = await send('POST', '/api/v1/customers', { firstName: 'Ada' })
    await send('GET', `/api/v1/customers/${body.data._id}?note=unseen`)
    await send('GET', `/api/customers/${body.data._id}`)
    await send('GET', '/api/v1/customers/cus_unknown')
    await send('GET', `/api/v1/customers/${body.data._id}`, undefined, 'no-token')
    await send('OPTIONS', `/api/v1/customers/${body.data._id}`)
    await send('GET', '/api/v1/nothing-here')
  }
  await risen(work, [
    { name: 'crm_http_requests_total', labels: { ...get, status: '2xx' }, by: 2 },
    { name: 'crm_http_requests_total', labels: { ...get, status: '4xx' }, by: 2 },
    { name: 'crm_http_requests_total', labels: { method: 'other', path }, by: 1 },
    { name: 'crm_http_requests_total', labels: { path: 'unknown', status: '4xx' }, by: 1 },
    { name: 'crm_http_request_duration_seconds_count', labels: get, by: 4 },
    { name: 'crm_http_request_duration_seconds_bucket', labels: { ...get, le: '+Inf' }, by: 4 },
    { name: 'crm_http_errors_total', labels: { code: 'NOT_FOUND' }, by: 2 },
    { name: 'crm_http_errors_total', labels: { code: 'AUTH_REQUIRED' }, by: 1 },
  ])
})

test('commits are timed, those of requests and those of background jobs', async () => {
  const timed = (scraped: Scrape) => scraped.sum('crm_commit_duration_seconds_count')
  const before = timed(await read())
  await send('POST', '/api/v1/customers', { firstName: 'Ada' })
  await expect.poll(async () => timed(await read())).toBeGreaterThan(before)
})

test('the caches of credentials count what they knew and what they had to load', async () => {
  const key = await createKey(running.url, owner.token, ['read:customers'])
  const work = async () => {
    for (let request = 0; request < 3; request++) await send('GET', '/api/v1/customers', undefined, key)
  }
  const labels = { cache: 'keys' }
  await risen(work, [
    { name: 'crm_credential_cache_lookups_total', labels: { ...labels, result: 'miss' }, by: 1 },
    { name: 'crm_credential_cache_lookups_total', labels: { ...labels, result: 'hit' }, by: 2 },
  ])
})

test('deliveries are counted by their result, and those that wait are counted until they are deleted', async () => {
  const webhook = async (path: string, attempts: number) => {
    const url = `${new URL(receiver.url).origin}${path}`
    const retryPolicy = { maxRetries: attempts - 1 }
    const { body } = await send('POST', '/api/v1/webhooks', {
      name: 'W',
      url,
      events: ['customer.created'],
      retryPolicy,
    })
    return body.data._id as string
  }
  const ids = [await webhook('/well', 2), await webhook('/failing', 2), await webhook('/failing', 1)]
  await risen(
    () => send('POST', '/api/v1/customers', { firstName: 'Ada' }),
    [
      { name: 'crm_delivery_attempts_total', labels: { result: 'delivered' }, by: 1 },
      { name: 'crm_delivery_attempts_total', labels: { result: 'retried' }, by: 1 },
      { name: 'crm_delivery_attempts_total', labels: { result: 'failed' }, by: 1 },
      { name: 'crm_delivery_duration_seconds_count', by: 3 },
      { name: 'crm_delivery_delay_seconds_count', by: 3 },
      { name: 'crm_deliveries_pending', by: 1 },
    ],
  )
  for (const id of ids) await send('DELETE', `/api/v1/webhooks/${id}`)
  await expect.poll(async () => (await read()).sum('crm_deliveries_pending')).toBe(0)
})

test('streams are counted while they are open, with the delay of what they wait for', async () => {
  const stream = await openStream(running.url, { token: owner.token })
  await expect.poll(async () => (await read()).sum('crm_event_streams')).toBe(1)
  // The first message is the position: behind it the stream waits for news.
  await expect.poll(() => stream.position()).not.toBe('')
  await expect
    .poll(async () => {
      await send('POST', '/api/v1/customers', { firstName: 'Ada' })
      return (await read()).sum('crm_event_stream_delay_seconds_count')
    })
    .toBeGreaterThan(0)
  stream.close()
  await expect.poll(async () => (await read()).sum('crm_event_streams')).toBe(0)
  const { types, sum } = await read()
  expect(types['crm_event_stream_delay_seconds']).toBe('histogram')
  const streams = { path: '/api/v1/events/stream' }
  expect(sum('crm_http_requests_total', streams)).toBe(1)
  expect(sum('crm_http_request_duration_seconds_count', streams)).toBe(0)
})

test('refusals of quotas and callbacks without a signature are counted, and polls of every job', async () => {
  const { system } = running.service.storage
  const limited = await registerTenant(running.url)
  const tenant = (await system.findTenant(limited.tenant._id))!
  const { tenantId, version } = tenant
  const set = { limits: { customers: 0 } }
  const write = { op: 'update', kind: 'tenants', id: tenantId, expectVersion: version, set } as const
  await system.commit(tenantId, { writes: [write], events: [] })
  const work = async () => {
    const body = { firstName: 'Ada' }
    expect((await send('POST', '/api/v1/customers', body, limited.token)).status).toBe(403)
    const path = `/api/telephony/providers/twilio/voice?tenant=${tenantId}`
    await fetch(running.url + path, { method: 'POST', body: new URLSearchParams({ CallSid: 'CA1' }) })
  }
  await risen(work, [
    { name: 'crm_quota_refusals_total', labels: { quota: 'customers' }, by: 1 },
    { name: 'crm_telephony_callbacks_refused_total', by: 1 },
  ])
  await expect
    .poll(async () => {
      const { sum } = await read()
      return jobNames.filter((job) => sum('crm_job_polls_total', { job, result: 'done' }) === 0)
    })
    .toEqual([])
})

test('no label holds a value of a tenant: each is a template, or a word of a fixed list', async () => {
  const key = await createKey(running.url, owner.token, ['read:customers'])
  const unusual = [
    '/api/v1/customers/jane.doe@example.com',
    `/api/v1/conversations/${key}`,
    '/%7Bid%7D',
    '/"\\',
  ]
  for (const path of unusual) await send('GET', path)
  await send('PROPFIND', '/api/v1/customers')
  const { samples, text } = await read()
  const own = [
    owner.tenant._id,
    owner.user._id,
    owner.email,
    owner.token,
    key,
    'jane.doe',
    'Ada',
    receiver.url,
  ]
  for (const value of own) expect(text).not.toContain(value)
  const pages = [
    '/api-docs/',
    'unknown',
    ...['voice', 'status', 'recording', 'unknown'].map((name) => `/api/telephony/providers/twilio/${name}`),
  ]
  const allowed: Readonly<Record<string, readonly string[] | RegExp>> = {
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'other'],
    path: [...operations.map(({ path }) => path), ...pages],
    status: ['1xx', '2xx', '3xx', '4xx', '5xx', 'other'],
    code: Object.keys(errorStatus),
    result: ['delivered', 'retried', 'failed', 'done', 'hit', 'miss'],
    job: jobNames,
    work: [...jobBacklogs.keys()],
    quota: quotaRules.map(({ name }) => name),
    budget: budgetNames,
    // Lists name the area of their operation.
    kind: [...storedKinds, ...operations.map(areaOf)],
    step: upgradeSteps.map(({ name }) => name),
    reason: [...inboundMailReasons],
    transport: ['relay', 'smtp'],
    door: doorNames,
    cache: ['keys', 'sessions', 'visitors'],
    le: /^([0-9.]+|\+Inf)$/,
    version: /^\d+\.\d+\.\d+$/,
    schema: /^\d+$/,
    // Tests run the sources.
    commit: [''],
    node: /^\d+\.\d+\.\d+$/,
    request: ['write', 'read', 'remove'],
    role: ['all'],
    database: ['sqlite', 'mongodb'],
  }
  const unexpected = samples
    .flatMap(({ labels }) => Object.entries(labels))
    .filter(([label, value]) => {
      const values = allowed[label]
      return values instanceof RegExp ? !values.test(value) : !values?.includes(value)
    })
  expect(unexpected).toEqual([])
})
