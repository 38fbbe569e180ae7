import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { diskReserveBytes } from '../../src/adapters/data-directory/disk-reserve.ts'
import { type CallResponse, call, password, registerTenant } from '../support/call.ts'
import { failuresOf, startFaultRun } from './support/fault-run.ts'
import { boundedDatabase, smallFileSystem } from './support/scarce-disk.ts'

const disks = { 'a bounded database': boundedDatabase, 'a full file system': smallFileSystem }
const loadMs = 500

it.for(Object.entries(disks))(
  'on %s the server refuses with 503, keeps acknowledged changes, and continues when space is free again [own.storageAway]',
  {
    timeout: 120_000,
  },
  async ([name, open], { skip }) => {
    const disk = open()
    if (disk === undefined) return skip('no file system can be mounted here')
    const servers = [{ name: 'server', variables: {}, planFor: () => disk.plan }]
    const run = await startFaultRun({ world: disk.world, seed: 8, servers })
    const { load, fleet } = run
    await delay(loadMs)
    disk.fill()
    await until(() => load.counts().refused > 20)
    const [tenant] = load.tenants
    const read = await call(await fleet.whenUp(), { path: '/api/v1/customers?limit=1', token: tenant?.key })
    expect(read.status).toBe(200)
    const health = await call(await fleet.whenUp(), { path: '/api/v1/health' })
    // A bounded database still accepts a write that needs no further page, such as the write of the health check.
    if (name === 'a full file system') expect(health.status).toBe(503)
    disk.free()
    const { acknowledged } = load.counts()
    await until(() => load.counts().acknowledged > acknowledged + 20)
    const report = await run.finish()
    disk.remove()
    expect(failuresOf(report)).toEqual([])
    expect(fleet.members[0]?.lives()).toBe(1)
  },
)

it('a full file system still admits sign-ins, sign-outs and deletions, and refuses other writes until there is space', async ({
  skip,
}) => {
  const disk = smallFileSystem()
  if (disk === undefined) return skip('no file system can be mounted here')
  const run = await startFaultRun({ world: disk.world, seed: 9 })
  const url = await run.fleet.whenUp()
  const { email, token, refreshToken } = await registerTenant(url)
  const send = (method: string, path: string, body?: unknown): Promise<CallResponse> =>
    call(url, { method, path, token, body })
  const create = () => send('POST', '/api/v1/customers', { firstName: 'Ada' })
  const customer = (await create()).body.data
  await until(() => disk.reserveBytes() === diskReserveBytes)

  disk.fill()
  await until(() => disk.reserveBytes() === 0)
  const signIn = () => call(url, { method: 'POST', path: '/api/auth/login', body: { email, password } })
  for (let times = 0; times < 20; times++) expect((await signIn()).status).toBe(200)
  const answers = [
    await create(),
    await send('PUT', `/api/v1/customers/${customer._id}`, { jobTitle: 'Analyst' }),
    await call(url, { method: 'POST', path: '/api/auth/refresh', body: { refreshToken } }),
    await send('GET', `/api/v1/customers/${customer._id}`),
    await send('DELETE', `/api/v1/customers/${customer._id}`),
    await send('GET', `/api/v1/customers/${customer._id}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 200, 200, 200, 404])
  expect(answers[0]?.headers.get('retry-after')).toBe('1')
  expect(answers[0]?.body).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    error: expect.stringMatching(/disk.*full/),
  })

  disk.free()
  await until(() => disk.reserveBytes() === diskReserveBytes)
  expect((await create()).status).toBe(201)
  expect((await send('POST', '/api/auth/logout')).status).toBe(200)
  const report = await run.finish()
  disk.remove()
  expect(failuresOf(report)).toEqual([])
})

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await delay(20)
}
