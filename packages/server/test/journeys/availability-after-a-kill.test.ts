import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { openLiveStream } from '../support/live-stream.ts'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'
import { startService } from '../support/start-service.ts'
import { newTestWorld } from '../support/test-world.ts'

test('a process that was killed leaves nobody online, and the next one assigns rightly from its first moment', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-availability-'))
  const world = newTestWorld()
  const variables = { CRM_DATA_DIR: dataDir, CRM_LOG_LEVEL: 'fatal', ...world.variables }
  const program: Program = await startProgram(serverProgram, ['start', '--dev'], { PORT: '0', ...variables })
  onTestFinished(async () => {
    await program.kill('SIGKILL')
    await world.remove()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const { token, user } = await registerTenant(program.url)
  const ask = async (url: string, method: string, at: string, body?: object) =>
    (await call(url, { method, path: `/api/v1${at}`, token, body })).body.data
  const autoAssign = { enabled: true }
  const inbox = { name: 'Support', members: [user._id], autoAssign }
  const { _id: inboxId } = await ask(program.url, 'POST', '/inboxes', inbox)
  const stream = await openLiveStream(program.url, { token })
  await stream.waitForType('counts.changed', 1)
  await program.kill('SIGKILL')
  await stream.ended

  let aheadMs = 0
  const clock = { nowMs: () => Date.now() + aheadMs }
  const next = await startService(variables, { clock })
  onTestFinished(() => next.stop())
  const availability = async () => (await ask(next.url, 'GET', '/users/me')).availability
  const assignee = async () =>
    (await ask(next.url, 'POST', '/conversations', { subject: 'Help', inboxId })).assignedTo
  expect(await assignee()).toBe(user._id)
  expect(await availability()).toBe('online')
  aheadMs = 2 * 60_000
  expect([await availability(), await assignee()]).toEqual(['away', null])
  aheadMs = 11 * 60_000
  expect(await availability()).toBe('offline')
})
