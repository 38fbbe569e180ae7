import { Crm } from '@crmkit/sdk'
import { beforeAll, describe, expect, it } from 'vitest'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { writeProfiles } from './support/profiles.ts'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, type Machine, makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()

let session: object
let baseUrl: string

beforeAll(async () => {
  baseUrl = await startServer(atEnd)
  const body = { tenantName: 'Acme', email: 'ada@acme.test', password: 'correct horse battery' }
  const { accessToken, refreshToken, user } = await new Crm({ baseUrl }).auth.register(body)
  session = { accessToken, refreshToken, expiresAt: new Date(Date.now() + 800_000).toISOString() }
  const crm = new Crm({ baseUrl, accessToken })
  const [inbox] = (await crm.inboxes.list()).data
  const inboxId = inbox?._id ?? ''
  const add = (labels: string[], assignedTo?: string) =>
    crm.conversations.create({ subject: 'Help', inboxId, labels, ...(assignedTo && { assignedTo }) })
  await add(['billing', '=cmd()'], user._id)
  await add(['billing'])
  await add(['billing', 'a "quoted" one'])
})

function signedIn(): Machine {
  const machine = makeMachine()
  writeProfiles(machine, { default: { baseUrl, session } })
  return machine
}

const today = new Date().toISOString().slice(0, 10)

describe('crm analytics tags', () => {
  it('prints rows for a pipe, CSV without formulas with --csv, JSON with --json, and labels with --quiet', async () => {
    const machine = signedIn()
    const run = (...args: string[]) => machine.run(['analytics', 'tags', ...args])
    const rows = ['billing\t3\t100', '=cmd()\t1\t33.33', 'a "quoted" one\t1\t33.33']
    expect(await run()).toMatchObject({ code: 0, stdout: `${rows.join('\n')}\n`, stderr: '3 labels.\n' })
    const csv = [
      'Label,Conversations,Percent',
      'billing,3,100',
      "'=cmd(),1,33.33",
      '"a ""quoted"" one",1,33.33',
    ]
    expect((await run('--csv')).stdout).toBe(`${csv.join('\n')}\n`)
    expect(JSON.parse((await run('--tag', 'BILLING', '--json')).stdout)).toEqual([
      { tag: 'billing', count: 3, percentage: 100 },
    ])
    expect((await run('--quiet', '--agent', 'ada@acme.test')).stdout).toBe('=cmd()\nbilling\n')
    expect((await run('--start', today, '--end', today)).stdout).toBe(`${rows.join('\n')}\n`)
    expect((await run('--start', '60d', '--end', '2d')).stdout).toBe('')
  })

  it.each([
    ['--json', '--csv'],
    ['--start', '2026-13-01'],
    ['--start', 'yesterday'],
    ['--agent', 'none'],
  ])('refuses %s %s as wrong usage', async (...args) => {
    const { code, stdout } = await signedIn().run(['analytics', 'tags', ...args])
    expect([code, stdout]).toEqual([2, ''])
  })

  it.skipIf(!hasPseudoTerminal)('shows bars in proportion to the counts on a terminal only', async () => {
    const shown = await signedIn().runInTerminal(['analytics', 'tags'])
    const lengths = shown.screen
      .split('\n')
      .filter((line) => /billing|quoted/.test(line))
      .map((line) => line.match(/█/g)?.length ?? 0)
    expect(lengths).toEqual([24, 8])
  })
})

describe('crm analytics conversations', () => {
  it('prints the figures of each value as rows, CSV and JSON, and hours of the week in words', async () => {
    const machine = signedIn()
    const run = (...args: string[]) => machine.run(['analytics', 'conversations', ...args])
    await expect
      .poll(async () => (await run('--by', 'channel')).stdout, { timeout: 30_000 })
      .toBe('email\t3\t0\t0\t\t\n')
    const csv = (await run('--by', 'agent', '--csv')).stdout
    expect(csv).toMatch(/^Value,Created,Closed,Responses,Median s,p90 s\nnobody,2,0,0,,\nusr_\w+,1,0,0,,\n$/)
    const days = JSON.parse((await run('--start', today, '--end', today, '--json')).stdout)
    expect(days).toMatchObject([{ key: today, created: 3 }])
    expect((await run('--by', 'hourOfWeek', '--quiet')).stdout).toMatch(/^Mon 00:00\nMon 01:00\n/)
    expect((await run('--zone', 'Mars')).code).toBe(5)
    expect((await run('--by', 'week')).code).toBe(2)
  })
})

describe('crm analytics', () => {
  it('shows the usage of a month, its history and its metrics', async () => {
    const machine = signedIn()
    const run = (...args: string[]) => machine.run(['analytics', ...args])
    const history = JSON.parse((await run('history', '--months', '2', '--json')).stdout)
    expect(history.map(({ month }: { month: string }) => month).at(-1)).toBe(today.slice(0, 7))
    expect((await run('history', '--months', '2')).stdout.split('\n')).toHaveLength(3)
    expect((await run('metrics', '--csv')).stdout).toMatch(
      /^Metric,Value,Unit\nAverage response time,[\d.]+,ms\n/,
    )
    const usage = await run('usage', '--csv')
    expect(usage.stdout).toContain('\nendpoint,/api/v1/conversations,3\n')
    expect(usage.stdout).toContain('\nmethod,POST,3\n')
    expect(usage.stderr).toMatch(/^\d+ requests in \d{4}-\d{2}\.\n$/)
    expect(await run('usage', '--month', '2026-1')).toMatchObject({ code: 2, stdout: '' })
    expect(await run('history', '--months', '25')).toMatchObject({ code: 5, stdout: '' })
  })
})
