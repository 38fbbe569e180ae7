import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { call } from '../support/call.ts'
import { failuresOf, startFaultRun } from './support/fault-run.ts'
import { boundedDatabase, smallFileSystem } from './support/scarce-disk.ts'

const disks = { 'a bounded database': boundedDatabase, 'a full file system': smallFileSystem }
const loadMs = 500

it.for(Object.entries(disks))(
  'on %s the server refuses with 503, keeps acknowledged changes, and continues when space is free again',
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

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await delay(20)
}
