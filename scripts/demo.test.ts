import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Crm } from '../packages/sdk/src/index.ts'
import { runProgram, serverProgram, startProgram } from '../packages/server/test/support/programs.ts'

const atEnd: (() => unknown)[] = []
afterAll(async () => {
  for (const end of atEnd.reverse()) await end()
})

/** A demo on a server of its own, with the usual rate limits. */
async function runDemo(seed: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'crmkit-demo-'))
  atEnd.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = { PORT: '0', CRM_DATA_DIR: dataDir, CRM_RATE_LIMITS: 'on' }
  const server = await startProgram(serverProgram, ['start', '--dev'], env)
  atEnd.push(() => server.kill('SIGTERM'))
  const sizes = ['--customers', '30', '--conversations', '60']
  const run = await runProgram('scripts/demo.ts', ['--base-url', server.url, '--seed', seed, ...sizes])
  expect(run).toMatchObject({ code: 0, stderr: '' })
  const [, password = ''] = /password "(.*)"/.exec(run.stdout) ?? []
  const crm = new Crm({ baseUrl: server.url, session: { email: 'demo@example.com', password } })
  const customers = await crm.customers.list().toArray({ limit: 1000 })
  const conversations = await crm.conversations.list().toArray({ limit: 1000 })
  return {
    stdout: run.stdout,
    agents: (await crm.users.list().toArray()).filter(({ role }) => role === 'agent').length,
    names: customers.map(({ profile }) => `${profile.firstName} ${profile.lastName}`).sort(),
    subjects: conversations.map(({ subject, status, priority }) => `${subject} ${status} ${priority}`).sort(),
  }
}

it('npm run demo makes agents, customers and conversations in several states, and prints how to sign in', async () => {
  const demo = await runDemo('1842')
  expect([demo.agents, demo.names.length, demo.subjects.length]).toEqual([3, 30, 60])
  for (const status of ['open', 'pending', 'closed'])
    expect(demo.subjects.join('\n')).toContain(` ${status} `)
  expect(demo.stdout).toContain('npm run crm -- login')
  // The same seed makes the same tenant, another one another.
  const again = await runDemo('1842')
  expect([again.names, again.subjects]).toEqual([demo.names, demo.subjects])
  expect((await runDemo('7')).names).not.toEqual(demo.names)
}, 120_000)
