import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { type FaultPlan, faultPlanVariable } from '../faults/support/preload/fault-plan.ts'
import { call, registerTenant } from '../support/call.ts'
import { type Program, serverProgram, startNodeProgram } from '../support/programs.ts'
import { newTestWorld } from '../support/test-world.ts'
import { switchWidgetOn, WidgetVisitor } from '../support/widget-visitor.ts'

const preload = fileURLToPath(new URL('../faults/support/preload/preload.ts', import.meta.url))
const removals: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const remove of removals.splice(0).reverse()) await remove()
})

it('a visitor’s message that was stored by a server which was killed before it responded arrives once', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-widget-'))
  const world = newTestWorld()
  removals.push(() => rm(dataDir, { recursive: true, force: true }), world.remove)
  const start = async (plan?: FaultPlan): Promise<Program> => {
    const env = {
      PORT: '0',
      CRM_DATA_DIR: dataDir,
      CRM_LOG_LEVEL: 'error',
      ...world.variables,
      ...(plan && { [faultPlanVariable]: JSON.stringify(plan) }),
    }
    const nodeArgs = plan ? ['--import', preload] : []
    const program = await startNodeProgram({ file: serverProgram, args: ['start'], env, nodeArgs })
    removals.push(() => program.kill('SIGKILL'))
    return program
  }
  const first = await start()
  const owner = await registerTenant(first.url)
  const { key } = await switchWidgetOn(first.url, owner.token)
  const begun = new WidgetVisitor(first.url)
  await begun.begin(key)
  await first.kill('SIGTERM')

  const body = { message: 'Hello', clientMessageId: 'once' }
  const dying = await start({ crash: { point: 'after-commit-before-answer', passage: 1 } })
  const sent = new WidgetVisitor(dying.url, begun.token).send('POST', '/api/v1/widget/conversations', body)
  await expect(sent).rejects.toThrow()

  const last = await start()
  const visitor = new WidgetVisitor(last.url, begun.token)
  const again = await visitor.send('POST', '/api/v1/widget/conversations', body)
  expect(again.status).toBe(200)
  const list = await visitor.send('GET', '/api/v1/widget/conversations')
  expect(list.body.data).toMatchObject([{ _id: again.body.data._id }])
  const team = await call(last.url, { path: '/api/v1/customers', token: owner.token })
  expect(team.body.pagination.total).toBe(1)
})
