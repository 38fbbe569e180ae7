import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { handleRequestPasswordReset } from '../../src/features/auth/request-password-reset.ts'
import type { SystemContext } from '../../src/features/system-handler.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { makeCertificate } from '../support/https-receiver.ts'
import { startSmtpReceiver } from '../support/smtp-receiver.ts'
import { startService } from '../support/start-service.ts'
import { mailTo, textOf, tokenMailedTo, tokenOf } from '../support/system-mail.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const newPassword = 'a sentence that nobody forgets'

const post = (path: string, body?: unknown, token?: string) =>
  call(running.url, { method: 'POST', path, ...(body !== undefined && { body }), token })
const ask = (email: string, tenantId?: string) =>
  post('/api/auth/password-reset', { email, ...(tenantId && { tenantId }) })
const confirm = (token: string, body: object = {}) =>
  post('/api/auth/password-reset/confirm', { token, password: newPassword, ...body })
const login = (email: string, secret: string, tenantId?: string) =>
  post('/api/auth/login', { email, password: secret, ...(tenantId && { tenantId }) })
const me = (token: string) => call(running.url, { path: '/api/auth/me', token })

async function invited(email: string, secret: string, separate?: boolean) {
  const owner = await registerTenant(running.url)
  const { body } = await post('/api/v1/users', { email, role: 'agent' }, owner.token)
  const { inviteToken: token } = body.data
  const accepted = await post('/api/auth/accept-invite', { token, password: secret, separate })
  expect(accepted.status).toBe(200)
  return { tenantId: owner.tenant._id as string, ownerToken: owner.token }
}

/** The queued requests are worked on: those before this moment have their mail, or get none. */
async function afterQueuedRequests(): Promise<void> {
  const { email } = await registerTenant(running.url)
  await ask(email)
  await tokenMailedTo(running.url, email)
}

describe('a forgotten password', () => {
  test('the mailed link sets a new password once, signs in, and ends all other sessions [own.mail.system]', async () => {
    const owner = await registerTenant(running.url)
    const asked = await ask(owner.email.toUpperCase())
    expect([asked.status, asked.body]).toEqual([
      200,
      { success: true, message: 'If this e-mail signs in here, a mail with a link is on its way' },
    ])
    const token = await tokenMailedTo(running.url, owner.email)
    expect(token).toMatch(/^prt_/)
    const [mail] = await mailTo(running.url, owner.email)
    expect(textOf(mail?.raw ?? '')).toContain(`${running.url}/account/reset#token=${token}`)
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)

    const confirmed = await confirm(token)
    expect([confirmed.status, confirmed.body.data?.user.email]).toEqual([200, owner.email])
    expect((await me(confirmed.body.data.accessToken)).status).toBe(200)
    expect((await me(owner.token)).status).toBe(401)
    expect((await login(owner.email, password)).status).toBe(401)
    expect((await login(owner.email, newPassword)).status).toBe(200)
    expect((await confirm(token)).status).toBe(401)
  })

  test('neither the token nor its mail is stored in plain text [own.mail.system]', async () => {
    const { email, tenant } = await registerTenant(running.url)
    await ask(email)
    const token = await tokenMailedTo(running.url, email)
    const { system } = running.service.storage
    const [identity] = await system.listIdentitiesByEmail(email)
    expect(identity?.passwordReset?.tokenHash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(identity)).not.toContain(token)
    await expect.poll(() => system.across.dueMailSends.of(tenant._id)).toEqual([])
  })

  test('an unknown address gets the same response and no mail [own.mail.system]', async () => {
    const { email } = await registerTenant(running.url)
    const [known, unknown] = [await ask(email), await ask('nobody@example.com')]
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    await afterQueuedRequests()
    expect(await mailTo(running.url, 'nobody@example.com')).toEqual([])
  })

  test('the response is made without any look-up, so its time says nothing about the address', async () => {
    const refuse = new Proxy({}, { get: () => expect.fail('The storage was asked') })
    const mail = { relay: {}, domain: undefined, smtpDoor: null, hasLinks: true, baseUrl: undefined }
    const ctx = { system: refuse, forTenant: refuse, services: { mail }, serviceUrl: 'https://crm.test' }
    const body = { email: 'Ada@Example.com' }
    const outcome = await handleRequestPasswordReset(ctx as unknown as SystemContext, {
      params: {},
      query: {},
      body,
    })
    expect(outcome).toMatchObject({ passwordReset: { email: 'Ada@Example.com' } })
  })

  test('an address gets three mails an hour, also without rate limits, and only the newest link works [own.mail.system]', async () => {
    const { email } = await registerTenant(running.url)
    const tokens: string[] = []
    for (const count of [1, 2, 3]) {
      await ask(email)
      tokens.push(await tokenMailedTo(running.url, email, count))
    }
    expect((await ask(email)).status).toBe(200)
    await afterQueuedRequests()
    expect(await mailTo(running.url, email)).toHaveLength(3)
    const [first = '', second = '', third = ''] = tokens
    expect([(await confirm(first)).status, (await confirm(second)).status]).toEqual([401, 401])
    expect((await confirm(third)).status).toBe(200)
  })

  test('a refused password leaves the link valid; a wrong, changed or expired one gets one response [own.mail.system]', async () => {
    const { email, tenant } = await registerTenant(running.url)
    await ask(email)
    const token = await tokenMailedTo(running.url, email)
    expect((await confirm(token, { password: 'short' })).status).toBe(422)
    const { system } = running.service.storage
    const [identity] = await system.listIdentitiesByEmail(email)
    const { inviteToken } = (
      await post(
        '/api/v1/users',
        { email: `new-${email}`, role: 'agent' },
        (
          await login(email, password)
        ).body.data.accessToken,
      )
    ).body.data
    const wrong = [`${token}x`, `prt_${identity?._id}.x.y`, inviteToken, 'prt_', '.']
    for (const response of await Promise.all(wrong.map((text) => confirm(text))))
      expect([response.status, response.body.error]).toEqual([
        401,
        'The link for a new password is not valid any more: ask for a new one',
      ])
    if (!identity?.passwordReset) throw new Error('No reset')
    const { _id: id, version: expectVersion, passwordReset } = identity
    const expireAt = async (expiresAt: string, version: number) => {
      const set = { passwordReset: { ...passwordReset, expiresAt } }
      const write = { op: 'update', kind: 'identities', id, expectVersion: version, set } as const
      await system.commit(tenant._id, { writes: [write], events: [] })
    }
    await expireAt(new Date().toISOString(), expectVersion)
    expect((await confirm(token)).status).toBe(401)
    await expireAt(passwordReset.expiresAt, expectVersion + 1)
    expect((await confirm(token)).status).toBe(200)
  })

  test('a change of the password voids a pending link', async () => {
    const owner = await registerTenant(running.url)
    await ask(owner.email)
    const token = await tokenMailedTo(running.url, owner.email)
    const body = { currentPassword: password, newPassword: 'changed by its owner' }
    const path = '/api/auth/password'
    const changed = await call(running.url, { method: 'PUT', path, token: owner.token, body })
    expect(changed.status).toBe(200)
    expect((await confirm(token)).status).toBe(401)
    expect((await login(owner.email, 'changed by its owner')).status).toBe(200)
  })

  test('of two simultaneous uses of a link one sets its password', async () => {
    const { email } = await registerTenant(running.url)
    await ask(email)
    const token = await tokenMailedTo(running.url, email)
    const responses = await Promise.all([confirm(token), confirm(token), confirm(token)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  test('a person of several tenants chooses one; the link stays valid until then', async () => {
    const email = 'several@example.com'
    const [a, b] = [await invited(email, password), await invited(email, password)]
    await ask(email)
    const token = await tokenMailedTo(running.url, email, 3)
    const unnamed = await confirm(token)
    expect([unnamed.status, unnamed.body.details?.[0]?.field]).toEqual([422, 'tenantId'])
    expect(unnamed.body.tenants.map(({ _id }: { _id: string }) => _id).sort()).toEqual(
      [a.tenantId, b.tenantId].sort(),
    )
    expect((await confirm(token, { tenantId: 'ten_unknown' })).status).toBe(401)
    const chosen = await confirm(token, { tenantId: b.tenantId })
    expect([chosen.status, chosen.body.data?.tenant._id]).toEqual([200, b.tenantId])
  })

  test('the owner of an address gets in although a stranger has used it before, and the stranger is out', async () => {
    const email = 'used.before@example.com'
    const strangers = await invited(email, 'chosen by a stranger')
    const own = await invited(email, 'chosen by the owner', true)
    await ask(email, own.tenantId)
    const first = await tokenMailedTo(running.url, email, 3)
    expect((await confirm(first)).body.data?.tenant._id).toBe(own.tenantId)
    // Asked for one tenant, the other identity of the address keeps its password.
    expect((await login(email, 'chosen by a stranger', strangers.tenantId)).status).toBe(200)
    await ask(email)
    const second = await tokenMailedTo(running.url, email, 4)
    expect((await confirm(second, { tenantId: own.tenantId })).status).toBe(200)
    expect((await login(email, 'chosen by a stranger', strangers.tenantId)).status).toBe(401)
  })

  test('a deactivated user gets no mail', async () => {
    const email = 'deactivated@example.com'
    const { ownerToken } = await invited(email, password)
    const users = await call(running.url, { path: '/api/v1/users', token: ownerToken })
    const { _id } = users.body.data.find((user: { email: string }) => user.email === email)
    const change = {
      method: 'PUT',
      path: `/api/v1/users/${_id}`,
      token: ownerToken,
      body: { isActive: false },
    }
    expect((await call(running.url, change)).status).toBe(200)
    await ask(email)
    await afterQueuedRequests()
    expect(await mailTo(running.url, email)).toHaveLength(1)
  })

  test('the request and the new password are in the audit log', async () => {
    const { email } = await registerTenant(running.url)
    await ask(email)
    const { body } = await confirm(await tokenMailedTo(running.url, email))
    const actions = async () => {
      const log = await call(running.url, { path: '/api/tenant/audit-log', token: body.data.accessToken })
      return log.body.data.map(({ action }: { action: string }) => action)
    }
    await expect
      .poll(actions)
      .toEqual(expect.arrayContaining(['user.passwordResetRequested', 'user.passwordReset']))
  })

  test('the link never follows the Host header [own.mail.system]', async () => {
    const { email } = await registerTenant(running.url)
    const body = JSON.stringify({ email })
    const { port } = new URL(running.url)
    await new Promise<void>((resolve, reject) => {
      const headers = { host: 'evil.example.com', 'content-type': 'application/json' }
      const options = { port, host: '127.0.0.1', path: '/api/auth/password-reset', method: 'POST', headers }
      request(options, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end(body)
    })
    await tokenMailedTo(running.url, email)
    const [mail] = await mailTo(running.url, email)
    expect(mail?.raw).not.toContain('evil.example.com')
  })
})

describe('an invitation', () => {
  test('the invited person gets the link by mail, and the response still holds the token [own.mail.system]', async () => {
    const owner = await registerTenant(running.url)
    const email = 'invited@example.com'
    const { body } = await post('/api/v1/users', { email, role: 'agent' }, owner.token)
    const token = await tokenMailedTo(running.url, email)
    expect(token).toBe(body.data.inviteToken)
    const [mail] = await mailTo(running.url, email)
    expect(textOf(mail?.raw ?? '')).toContain(`${running.url}/account/invite#token=${token}`)
    expect(mail?.raw).toContain(`Subject: Invitation to ${owner.tenant.name}`)
    expect(mail?.raw).toContain('Olive Owner invites you')
  })

  test('an invitation that is repeated sends at most three mails an hour', async () => {
    const owner = await registerTenant(running.url)
    const email = 'often@example.com'
    const { body } = await post('/api/v1/users', { email, role: 'agent' }, owner.token)
    for (const count of [2, 3, 4]) {
      const again = await post(`/api/v1/users/${body.data._id}/invite`, undefined, owner.token)
      expect([again.status, again.body.data.inviteToken]).toEqual([200, expect.stringMatching(/^inv_/)])
      await tokenMailedTo(running.url, email, Math.min(count, 3))
    }
    await afterQueuedRequests()
    expect(await mailTo(running.url, email)).toHaveLength(3)
  })

  test('a tenant’s name becomes neither markup nor a link of the mail', async () => {
    const body = { tenantName: '<b>evil.example/x</b>', email: 'namer@example.com', password }
    const { accessToken } = (await post('/api/auth/register', body)).body.data
    await post('/api/v1/users', { email: 'named@example.com', role: 'agent' }, accessToken)
    await tokenMailedTo(running.url, 'named@example.com')
    const [mail] = await mailTo(running.url, 'named@example.com')
    const text = textOf(mail?.raw ?? '')
    expect(text).not.toContain('evil.example/x')
    expect(text.slice(text.indexOf('text/html'))).not.toContain('<b>')
  })
})

describe('in production', () => {
  const variables = {
    CRM_ENVIRONMENT: 'production',
    CRM_REGISTRATION: 'open',
    CRM_JWT_SECRET: 'a'.repeat(32),
    CRM_SECRETS_KEY: 'b'.repeat(32),
  }

  test.each([
    ['a relay', {}, 'CRM_SMTP_URL'],
    [
      'an address for links',
      { CRM_SMTP_URL: 'smtp://127.0.0.1:1025', CRM_MAIL_FROM: 'crm@example.com' },
      'CRM_BASE_URL',
    ],
  ])(
    'without %s a known and an unknown address get the same 503, and invitations still work',
    async (_, more, named) => {
      const production = await startService({ ...variables, ...more })
      const owner = await registerTenant(production.url)
      const send = (path: string, body: object, token?: string) =>
        call(production.url, { method: 'POST', path, body, token })
      const [known, unknown] = [
        await send('/api/auth/password-reset', { email: owner.email }),
        await send('/api/auth/password-reset', { email: 'nobody@example.com' }),
      ]
      expect([known.status, known.body.error]).toEqual([503, expect.stringContaining(named)])
      expect([unknown.status, unknown.body.error]).toEqual([503, known.body.error])
      const user = { email: 'invited@example.com', role: 'agent' }
      const invitation = await send('/api/v1/users', user, owner.token)
      expect([invitation.status, invitation.body.data.inviteToken]).toEqual([
        201,
        expect.stringMatching(/^inv_/),
      ])
      await production.stop()
    },
  )

  test('system mail leaves through the relay, from the address of the installation, with links to CRM_BASE_URL [own.mail.system]', async () => {
    const certificate = await makeCertificate()
    const receiver = await startSmtpReceiver({ certificate, security: 'none' })
    const production = await startService({
      ...variables,
      CRM_SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
      CRM_MAIL_FROM: 'crm@example.com',
      CRM_BASE_URL: 'https://crm.example.com/support',
    })
    const { email } = await registerTenant(production.url)
    const body = { email }
    await call(production.url, { method: 'POST', path: '/api/auth/password-reset', body })
    await expect.poll(() => receiver.mails).toMatchObject([{ from: 'crm@example.com', to: [email] }])
    const [mail] = receiver.mails
    const token = tokenOf(mail?.raw ?? '')
    expect(textOf(mail?.raw ?? '')).toContain(`https://crm.example.com/support/account/reset#token=${token}`)
    const confirmed = await call(production.url, {
      method: 'POST',
      path: '/api/auth/password-reset/confirm',
      body: { token, password: newPassword },
    })
    expect(confirmed.status).toBe(200)
    await production.stop()
    await receiver.stop()
    certificate.remove()
  })
})
