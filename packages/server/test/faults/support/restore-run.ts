import { expect } from 'vitest'
import { runProgram, serverProgram, startProgram } from '../../support/programs.ts'
import {
  as,
  eraseAll,
  fill,
  foundAgain,
  isIdle,
  killAt,
  mark,
  missingIn,
  must,
  type RestorableWorld,
  startUntilDead,
} from './erasure-run.ts'

/** The erasures after the backup; `CRM_TEST_ERASURES=1000` for the figure of the issue. */
const size = Number(process.env['CRM_TEST_ERASURES'] ?? 60)

/** Loses the data of a server after erasures, and restores a backup of before them, with five kills on the way. */
export async function runRestore(world: RestorableWorld): Promise<void> {
  const first = await startProgram(serverProgram, ['start', '--dev'], world.live)
  const filled = await fill(first.url, size)
  await first.kill('SIGTERM')
  await world.backUp()

  const live = await startProgram(serverProgram, ['start', '--dev'], world.live)
  await eraseAll(live.url, filled, world.live)
  await expect.poll(() => missingIn(world.ledger, filled), { timeout: 600_000 }).toEqual([])
  await live.kill('SIGKILL')

  const killed = await world.restore(killAt('between-ledger-lines', 1 + Math.floor(size / 6)))
  expect(killed.code).toBeNull()
  for (let part = 2; part <= 4; part += 1)
    expect(
      await startUntilDead({
        ...world.restored,
        ...killAt('between-ledger-lines', Math.floor((part * size) / 6)),
      }),
    ).toBeUndefined()
  const doctor = await runProgram(serverProgram, ['doctor', '--all'], { env: world.restored })
  expect(doctor.stdout).toMatch(/✗ erasures .*The ledger has \d+ erasures that the database does not know/)
  await startUntilDead({ ...world.restored, ...killAt('between-erasure-pages', 3) })

  const server = await startProgram(serverProgram, ['start', '--dev'], world.restored)
  expect(await foundAgain(server.url, filled)).toEqual([])
  const owner = as(server.url, filled.token)
  const { body } = await must(owner('GET', `/api/v1/customers/${filled.stays.customerId}`))
  expect(body.data.profile.email).toBe('stays@example.com')
  await must(owner('GET', `/api/v1/conversations/${filled.stays.conversationId}`))
  const storage = await world.openRestored()
  await expect.poll(() => isIdle(storage), { timeout: 600_000, interval: 500 }).toBe(true)
  expect(await storage.system.findTenant(filled.goneTenantId)).toBeUndefined()
  await storage.close()
  expect(await server.kill('SIGTERM')).toBe(0)
  const text = await world.textOfRestored()
  expect(text).toContain('A question that stays')
  expect(text.split(mark).length - 1).toBe(0)
  const after = await runProgram(serverProgram, ['doctor', '--all'], { env: world.restored })
  expect(after.stdout).toMatch(/✓ erasures .*The database knows every erasure/)
}
