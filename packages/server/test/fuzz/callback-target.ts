import { call, registerTenant } from '../support/call.ts'
import { startService } from '../support/start-service.ts'
import { type FuzzTarget, fuzzTelephony } from './callback-fuzz.ts'

/** A service with a telephony provider, a tenant with a number and an available agent, and another tenant with a call. */
export async function startCallbackTarget() {
  const running = await startService(fuzzTelephony)
  const { system } = running.service.storage
  const newTenant = async (number: string) => {
    const { token, tenant } = await registerTenant(running.url)
    const found = await system.findTenant(tenant._id)
    if (found === undefined) throw new Error('no tenant')
    const { tenantId, version } = found
    const set = { phoneNumbers: [number] }
    const write = { op: 'update', kind: 'tenants', id: tenantId, expectVersion: version, set } as const
    await system.commit(tenantId, { writes: [write], events: [] })
    const send = async (method: string, path: string, body?: unknown) =>
      (await call(running.url, { method, path, token, body })).body.data
    return { tenantId, number, send }
  }
  const own = await newTenant('+15550000001')
  const other = await newTenant('+15550000002')
  const customerPhone = '+15551234567'
  const foreign = await other.send('POST', '/api/telephony/calls', { to: customerPhone })
  await own.send('PUT', '/api/v1/users/me', { availability: 'online' })
  const grant = await own.send('POST', '/api/telephony/webrtc/capability-token', { customerPhone })
  const { tenantId, number } = own
  const target: FuzzTarget = { url: running.url, tenantId, number, clientName: grant.clientName }
  const calls = ({ send }: typeof own) => send('GET', '/api/telephony/calls?limit=100')
  return {
    ...target,
    calls: () => calls(own),
    /** The one call of the other tenant, and all of its calls now. */
    foreignCalls: async () => ({ before: [foreign], now: await calls(other) }),
    stop: () => running.stop(),
  }
}
