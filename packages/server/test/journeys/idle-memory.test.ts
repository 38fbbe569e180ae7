import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startNodeProgram } from '../support/programs.ts'

const source = (file: string) => fileURLToPath(new URL(file, import.meta.url))

test('an idle server gives back the memory that its start needed', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-idle-'))
  const server = await startNodeProgram({
    file: source('../../src/main/crm-server.ts'),
    args: ['start', '--dev'],
    env: { PORT: '0', CRM_DATA_DIR: dataDir, CRM_LOG_LEVEL: 'error' },
    nodeArgs: ['--import', source('../support/report-young-generation.ts')],
  })
  onTestFinished(async () => {
    await server.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  const sizes = () =>
    [...server.stderr().matchAll(/young generation (\d+) MiB/g)].map((found) => Number(found[1]))
  await expect.poll(() => sizes().at(-1), { timeout: 60_000, interval: 500 }).toBeLessThanOrEqual(4)
  // Otherwise there was nothing to give back.
  expect(Math.max(...sizes())).toBeGreaterThan(16)
  const response = await fetch(server.url)
  expect(response.status).toBe(200)
}, 90_000)
