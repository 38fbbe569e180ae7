import { Crm } from '@crmkit/sdk'
import { beforeAll, expect, it } from 'vitest'
import {
  type MailProviderServer,
  providerVariables,
  startMailProvider,
} from '../../server/test/support/mail-provider.ts'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { storedSession, writeProfiles } from './support/profiles.ts'
import { startServer } from './support/real-server.ts'
import { makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()
let provider: MailProviderServer
let baseUrl: string
beforeAll(async () => {
  provider = await startMailProvider()
  atEnd(() => provider.close())
  baseUrl = await startServer(atEnd, {
    ...providerVariables,
    CRM_MAIL_OAUTH_HOSTS: `accounts=${provider.accounts}`,
  })
})

it('prints an address for a sign-in, waits for the grant, and lets the inbox read and send by it', async () => {
  const { accessToken, refreshToken } = await new Crm({ baseUrl }).auth.register({
    tenantName: 'Acme',
    email: 'ann@acme.test',
    password: 'correct horse battery',
  })
  const machine = makeMachine()
  const session = { ...storedSession('0', 800), accessToken, refreshToken }
  writeProfiles(machine, { default: { baseUrl, session } })
  const [inbox] = (await new Crm({ baseUrl, accessToken }).inboxes.list()).data
  const id = inbox?._id ?? ''
  const set = await machine.run(['inboxes', 'email', 'set', id, '--address', 'help@acme.test'])
  expect(set.code).toBe(0)
  provider.person = 'help@acme.test'
  let page: Promise<Response> | undefined
  const args = ['inboxes', 'email', 'sign-in', id, '--provider', 'microsoft']
  const signedIn = await machine.run([...args, '--json'], {
    // The person opens the address; the provider grants access immediately.
    onStderr: (text) => {
      const [url] = /^http\S+(?=\n)/m.exec(text) ?? []
      if (url !== undefined) page ??= fetch(url)
    },
  })
  expect([signedIn.code, signedIn.stderr]).toEqual([
    0,
    expect.stringContaining('Signed in to help@acme.test'),
  ])
  expect((await page)?.status).toBe(200)
  const { email } = JSON.parse(signedIn.stdout)
  expect([email.oauth.provider, email.imap.auth, email.smtp.auth, email.transport]).toEqual([
    'microsoft',
    'oauth',
    'oauth',
    'smtp',
  ])
  // Other settings change without a look at the servers.
  const changed = await machine.run(['inboxes', 'email', 'set', id, '--display-name', 'Help', '--json'])
  expect(JSON.parse(changed.stdout).email).toMatchObject({ displayName: 'Help', smtp: { auth: 'oauth' } })
  const out = await machine.run(['inboxes', 'email', 'sign-out', id, '--json'])
  expect([out.code, JSON.parse(out.stdout).email.oauth]).toEqual([0, null])
})
