import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { signWidgetUser, type WidgetUser } from '../src/widget/index.ts'

const secret = 'wis_ZGFzIGlzdCBlaW4gR2VoZWltbmlz'

function read(token: string) {
  const [header = '', claims = '', signature] = token.split('.')
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  return { signed: `${header}.${claims}`, header: json(header), claims: json(claims), signature }
}

test('a token is signed with the UTF-8 bytes of the whole secret by HS256', async () => {
  const { signed, header, signature } = read(await signWidgetUser(secret, { userId: 'u1' }))
  expect(header).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(signature).toBe(createHmac('sha256', secret).update(signed).digest('base64url'))
})

test('a token holds the person in every script, and ends after the seconds that the caller chose', async () => {
  const now = Math.floor(Date.now() / 1_000)
  const user = { userId: 'ü-1', email: 'ada@example.com', name: 'Åda 李 🙂', expiresInSeconds: 60 }
  const { claims } = read(await signWidgetUser(secret, user))
  expect(claims).toEqual({
    sub: user.userId,
    email: user.email,
    name: user.name,
    iat: expect.any(Number),
    exp: claims.iat + 60,
  })
  expect(claims.iat).toBeGreaterThanOrEqual(now)
  expect(claims.iat).toBeLessThan(now + 60)
})

test('an absent attribute is no claim', async () => {
  const { claims } = read(await signWidgetUser(secret, { userId: 'u1', email: undefined, name: '' }))
  expect(Object.keys(claims).sort()).toEqual(['exp', 'iat', 'sub'])
  expect(claims.exp - claims.iat).toBe(600)
})

test('no token is made from arguments that the service would refuse', async () => {
  const refused: [string, WidgetUser][] = [
    ['', { userId: 'u1' }],
    ['whsec_c2VjcmV0', { userId: 'u1' }],
    [secret, { userId: '' }],
    [secret, { userId: 'u'.repeat(129) }],
    [secret, { userId: 42 as unknown as string }],
    [secret, { userId: 'u1', expiresInSeconds: 3_601 }],
    [secret, { userId: 'u1', expiresInSeconds: 0 }],
    [secret, { userId: 'u1', expiresInSeconds: 1.5 }],
  ]
  for (const [key, user] of refused)
    await expect(signWidgetUser(key, user), JSON.stringify([key, user])).rejects.toThrow(TypeError)
})
