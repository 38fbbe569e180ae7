import { Crm } from '@crmkit/sdk'
import { beforeAll, expect, it } from 'vitest'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { startServer } from './support/real-server.ts'
import { makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()

let admin: Crm
let baseUrl: string
let env: Record<string, string>

beforeAll(async () => {
  baseUrl = await startServer(atEnd)
  const { accessToken } = await new Crm({ baseUrl }).auth.register({
    tenantName: 'Acme',
    email: 'ada@acme.test',
    password: 'correct horse battery',
  })
  admin = new Crm({ baseUrl, accessToken })
  const { key } = await admin.apiKeys.create({ name: 'web', permissions: ['read:conversations'] })
  env = { CRM_API_KEY: key, CRM_BASE_URL: baseUrl }
})

const snippet = (...args: string[]) => makeMachine().run(['inboxes', 'snippet', ...args], { env })

it('prints the script tag alone on stdout, and each setting that is still off on stderr', async () => {
  const { _id, widget } = await admin.inboxes.create({
    name: 'Web',
    channel: 'chat',
    widget: { enabled: true },
  })
  const run = await snippet(_id)
  expect(run.code).toBe(0)
  expect(run.stdout).toBe(
    `<script async src="${baseUrl}/widget/v1.js" data-key="${widget.publicKey}"></script>\n`,
  )
  expect(run.stderr).toContain('Every page may show the widget.')
  expect(run.stderr).toContain('No identity secret exists')
  const script = await fetch(/src="([^"]+)"/.exec(run.stdout)?.[1] ?? '')
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
})

it('warns of nothing when everything is set, and of a widget that is switched off again', async () => {
  const settings = { enabled: true, allowedOrigins: ['https://www.example.com'], identityRequired: true }
  const { _id } = await admin.inboxes.create({ name: 'Set', channel: 'chat', widget: settings })
  await admin.inboxes.makeWidgetSecret(_id, {})
  expect(await snippet(_id)).toMatchObject({ code: 0, stderr: '' })
  await admin.inboxes.update(_id, { widget: { ...settings, enabled: false } })
  const run = await snippet(_id, '--json')
  expect(JSON.parse(run.stdout)).toEqual({
    snippet: expect.stringContaining('data-key="wpk_'),
    warnings: [`The widget is switched off. Run: crm inboxes update ${_id} --widget on`],
  })
})

it('prints no script tag for a widget that never had a key, and names the command that makes one', async () => {
  const { _id } = await admin.inboxes.create({ name: 'None', channel: 'email' })
  const run = await snippet(_id)
  expect(run).toMatchObject({ code: 1, stdout: '' })
  expect(run.stderr).toContain(`crm inboxes update ${_id} --widget on`)
})
