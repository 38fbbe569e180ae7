import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { failuresOf, startFaultRun } from './support/fault-run.ts'
import { sqliteWorld } from './support/worlds.ts'

const hourMs = 3_600_000
const loadMs = 800

it('no delivery is lost or stuck when the clock jumps by hours, forwards and backwards', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-clock-'))
  const clockFile = path.join(directory, 'ahead-ms')
  const setClock = (hours: number) => writeFileSync(clockFile, String(hours * hourMs))
  setClock(0)
  const servers = [{ name: 'server', variables: {}, planFor: () => ({ clockFile }) }]
  const load = { withSnoozes: false, failsOneIn: 2 }
  const run = await startFaultRun({ world: sqliteWorld(), seed: 9, servers, load })
  for (const hours of [3, -2, 5, 0, -6]) {
    await delay(loadMs)
    setClock(hours)
  }
  // One jump happens while the process is down.
  await delay(loadMs)
  setClock(-12)
  await run.fleet.members[0]?.kill()
  await run.fleet.whenUp()
  await delay(loadMs)
  const report = await run.finish({ crashes: 1, withinMs: 60_000 })
  rmSync(directory, { recursive: true, force: true })
  expect(failuresOf(report)).toEqual([])
})
