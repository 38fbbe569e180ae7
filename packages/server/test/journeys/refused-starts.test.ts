import { existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { registerTenant } from '../support/call.ts'
import { runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { newTestWorld, type TestWorld } from '../support/test-world.ts'

let dataDir: string
let world: TestWorld
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-refused-'))
  world = newTestWorld()
})
afterEach(async () => {
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

const keyOf = (name: string) => name.repeat(40).slice(0, 40)
const environment = (secretsKey: string) => ({
  PORT: '0',
  CRM_DATA_DIR: dataDir,
  ...world.variables,
  CRM_SECRETS_KEY: secretsKey,
})
async function startAndStop(secretsKey: string): Promise<void> {
  const server = await startProgram(serverProgram, ['start', '--dev'], environment(secretsKey))
  expect(await server.kill('SIGTERM')).toBe(0)
}

it('a start with a key that did not encrypt the stored secrets is refused; a ring with the earlier key is accepted, until reseal', async () => {
  await startAndStop(keyOf('first'))
  const refused = await runProgram(serverProgram, ['start'], { env: environment(keyOf('other')) })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('encrypted with another key')
  const both = `${keyOf('other')},${keyOf('first')}`
  await startAndStop(both)
  const early = await runProgram(serverProgram, ['start'], { env: environment(keyOf('other')) })
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('run crm-server secrets reseal')])
  expect(await runProgram(serverProgram, ['secrets', 'reseal'], { env: environment(both) })).toMatchObject({
    code: 0,
  })
  // From then on the new key is enough.
  await startAndStop(keyOf('other'))
})

it('a start with an emptied database file is refused, and a new file is readable only by its owner', async () => {
  const env = { PORT: '0', CRM_DATA_DIR: dataDir }
  const server = await startProgram(serverProgram, ['start', '--dev'], env)
  await registerTenant(server.url)
  const file = path.join(dataDir, 'crm.sqlite')
  for (const name of [file, `${file}-wal`, `${file}-deliveries`, `${file}-lock`])
    expect(statSync(name).mode & 0o777).toBe(0o600)
  expect(await server.kill('SIGTERM')).toBe(0)
  truncateSync(file)
  for (const end of ['-wal', '-shm']) if (existsSync(file + end)) rmSync(file + end)
  const refused = await runProgram(serverProgram, ['start', '--dev'], { env })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`${file} is empty: restore the database from a backup, or delete the file`)
  expect(statSync(file).size).toBe(0)
})
