import { expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { startService } from '../support/start-service.ts'

const origin = 'https://app.example.com'
const path = '/api/v1/customers'
const asked = { origin, 'access-control-request-method': 'POST' }

it('allows pages of the named origins to call and read, and no others', async () => {
  const running = await startService({ CRM_CORS_ORIGINS: `https://other.example, ${origin}` })
  try {
    const { token } = await registerTenant(running.url)
    const preflight = await call(running.url, { method: 'OPTIONS', path, headers: asked })
    expect(preflight.status).toBe(200)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE')
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-API-Key'])
      expect(preflight.headers.get('access-control-allow-headers')).toContain(name)
    for (const response of [
      await call(running.url, { path, token, headers: { origin } }),
      await call(running.url, { path, headers: { origin } }),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBe(origin)
      expect(response.headers.get('vary')).toBe('Origin')
      expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    }
    for (const stranger of ['https://evil.example', 'null', `${origin}.evil.example`]) {
      const response = await call(running.url, { path, token, headers: { origin: stranger } })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, null])
      const before = await call(running.url, {
        method: 'OPTIONS',
        path,
        headers: { ...asked, origin: stranger },
      })
      expect([before.status, before.headers.get('access-control-allow-origin')]).toEqual([405, null])
    }
  } finally {
    await running.stop()
  }
})

it('sends no CORS headers unless origins are named', async () => {
  const running = await startService()
  try {
    const response = await call(running.url, { method: 'OPTIONS', path, headers: asked })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([405, null])
    expect(response.headers.get('vary')).toBeNull()
  } finally {
    await running.stop()
  }
})
