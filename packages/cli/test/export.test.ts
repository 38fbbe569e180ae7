import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Crm } from '@crmkit/sdk'
import { beforeAll, describe, expect, it } from 'vitest'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { writeProfiles } from './support/profiles.ts'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, type Machine, makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()

let baseUrl: string
let profile: object
let customerId: string
let apiKey: string

beforeAll(async () => {
  baseUrl = await startServer(atEnd)
  const { accessToken, refreshToken } = await new Crm({ baseUrl }).auth.register({
    tenantName: 'Acme',
    email: 'ada@acme.test',
    password: 'correct horse battery',
  })
  const expiresAt = new Date(Date.now() + 800_000).toISOString()
  profile = { baseUrl, email: 'ada@acme.test', session: { accessToken, refreshToken, expiresAt } }
  const crm = new Crm({ baseUrl, accessToken })
  customerId = (await crm.customers.create({ firstName: 'Ada', company: '=cmd()' }))._id
  apiKey = (await crm.apiKeys.create({ name: 'all', permissions: ['read:customers'] })).key
})

function signedIn(): Machine {
  const machine = makeMachine()
  writeProfiles(machine, { default: profile })
  return machine
}

describe('crm customers export', () => {
  it('saves the file with mode 0600, and overwrites a file only with --force', async () => {
    const machine = signedIn()
    const run = () => machine.run(['customers', 'export', customerId, '--out', 'ada.json'])
    expect(await run()).toMatchObject({ code: 0, stdout: '', stderr: 'Saved ada.json.\n' })
    const file = join(machine.directory, 'ada.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ customer: { _id: customerId } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('not overwritten') })
    expect(
      await machine.run(['customers', 'export', customerId, '--out', 'ada.json', '--force']),
    ).toMatchObject({
      code: 0,
    })
  })

  it('writes the CSV of the server to a pipe unchanged', async () => {
    const { code, stdout } = await signedIn().run(['customers', 'export', customerId, '--format', 'csv'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^section,record,field,value\r\n/)
    expect(stdout).toContain("profile.company,'=cmd()")
  })

  it('leaves no file when the customer does not exist', async () => {
    const machine = signedIn()
    const { code } = await machine.run(['customers', 'export', 'cus_nobody', '--out', 'ada.json'])
    expect(code).not.toBe(0)
    expect(readdirSync(machine.directory).filter((name) => name.includes('ada.json'))).toEqual([])
  })

  it('needs a signed-in user and refuses an API key', async () => {
    const env = { CRM_API_KEY: apiKey, CRM_BASE_URL: baseUrl }
    const { code, stderr } = await makeMachine().run(['customers', 'export', customerId], { env })
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/signed-in|login/i)
  })

  it.runIf(hasPseudoTerminal)('refuses to write an export to a terminal', async () => {
    const run = await signedIn().runInTerminal(['customers', 'export', customerId])
    expect(run.code).toBe(2)
  })
})
