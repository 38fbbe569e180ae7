import { newKeyText } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, createKey, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let running: RunningService
let token: string
let key: string
beforeAll(async () => {
  running = await startService()
  token = (await registerTenant(running.url)).token
  key = await createKey(running.url, token, ['read:customers'])
})
afterAll(() => running.stop())

const path = '/api/v1/customers'
async function ask(headers: Record<string, string>) {
  const answer = await call(running.url, { path, headers })
  return [answer.status, answer.body.code]
}
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const flipped = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const parts = () => token.split('.') as [string, string, string]
const claims = () => JSON.parse(Buffer.from(parts()[1], 'base64url').toString())
const header = () => JSON.parse(Buffer.from(parts()[0], 'base64url').toString())

describe('a session token', () => {
  it.each<[string, () => string]>([
    ['cut by a character', () => token.slice(0, -1)],
    ['with a character of the header changed', () => flipped(token, 5)],
    ['with a character of the claims changed', () => flipped(token, parts()[0].length + 8)],
    ['with a character of the signature changed', () => flipped(token, token.length - 10)],
    ['without a signature', () => `${parts()[0]}.${parts()[1]}.`],
    ['of two parts', () => `${parts()[0]}.${parts()[1]}`],
    ['of four parts', () => `${token}.x`],
    ['with its parts in another order', () => parts().reverse().join('.')],
    ['with alg none', () => `${encoded({ ...header(), alg: 'none' })}.${parts()[1]}.`],
    ['with a longer life', () => `${parts()[0]}.${encoded({ ...claims(), exp: 9e9 })}.${parts()[2]}`],
    ['of another tenant', () => `${parts()[0]}.${encoded({ ...claims(), tid: 'ten_x' })}.${parts()[2]}`],
    ['of another user', () => `${parts()[0]}.${encoded({ ...claims(), sub: 'usr_x' })}.${parts()[2]}`],
    ['with another kid', () => `${encoded({ ...header(), kid: 'x' })}.${parts()[1]}.${parts()[2]}`],
    ['in upper case', () => token.toUpperCase()],
  ])('%s is refused with AUTH_REQUIRED', async (_name, made) => {
    expect(await ask(bearer(made()))).toEqual([401, 'AUTH_REQUIRED'])
  })

  it('is no API key', async () => {
    expect(await ask({ 'x-api-key': token })).toEqual([401, 'API_KEY_INVALID'])
    expect(await ask(bearer(token))).toEqual([200, undefined])
  })
})

describe('an API key', () => {
  it('with any one character changed after its prefix is refused with API_KEY_INVALID', async () => {
    for (let at = 'sk_'.length; at < key.length; at++)
      expect(await ask(bearer(flipped(key, at))), `character ${at}`).toEqual([401, 'API_KEY_INVALID'])
    expect(await ask(bearer(key))).toEqual([200, undefined])
  })

  it.each<[string, () => string]>([
    ['cut', () => key.slice(0, -1)],
    ['with a character more', () => `${key}0`],
    ['in upper case', () => `sk_live_${key.slice(8).toUpperCase()}`],
    ['of the other kind', () => key.replace('sk_live_', 'sk_test_')],
    ['that is only a prefix', () => 'sk_live_'],
    ['that was never made', () => newKeyText('production').key],
  ])('%s is refused with API_KEY_INVALID, in either header', async (_name, made) => {
    expect(await ask(bearer(made()))).toEqual([401, 'API_KEY_INVALID'])
    expect(await ask({ 'x-api-key': made() })).toEqual([401, 'API_KEY_INVALID'])
  })

  it.each<[string, () => Record<string, string>]>([
    ['under another scheme', () => ({ authorization: `Basic ${key}` })],
    ['without a scheme', () => ({ authorization: key })],
    ['with words behind it', () => bearer(`${key} and more`)],
    ['beside another key', () => ({ ...bearer(key), 'x-api-key': newKeyText('production').key })],
    ['beside a session', () => ({ ...bearer(token), 'x-api-key': key })],
    ['that is empty', () => ({ 'x-api-key': '' })],
  ])('sent %s is refused with AUTH_REQUIRED', async (_name, made) => {
    expect(await ask(made())).toEqual([401, 'AUTH_REQUIRED'])
  })

  it('for tests is refused in production, and every live key is welcome in staging', async () => {
    const body = { name: 'Test', permissions: ['read:customers'], environment: 'staging' }
    const made = await call(running.url, { method: 'POST', path: '/api/tenant/api-keys', token, body })
    expect(await ask(bearer(made.body.data.key))).toEqual([200, undefined])
    const secret = 'a secret of at least thirty-two bytes'
    const production = await startService({
      CRM_ENVIRONMENT: 'production',
      CRM_JWT_SECRET: secret,
      CRM_SECRETS_KEY: secret,
      CRM_REGISTRATION: 'open',
    })
    try {
      const owner = await registerTenant(production.url)
      const keys = '/api/tenant/api-keys'
      const test = await call(production.url, { method: 'POST', path: keys, token: owner.token, body })
      const answer = await call(production.url, { path, token: test.body.data.key })
      expect([answer.status, answer.body.code]).toEqual([401, 'API_KEY_INVALID'])
    } finally {
      await production.stop()
    }
  })
})
