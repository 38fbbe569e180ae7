import { randomUUID } from 'node:crypto'
import twilio from 'twilio'
import { expect } from 'vitest'
import { call, type registerTenant } from './call.ts'
import type { useService } from './use-service.ts'

const authToken = 'the-account-token-of-the-provider'
const baseUrl = 'https://crm.example.com'

/** The settings of a service that a provider of telephony calls. */
export const telephoneSettings = {
  CRM_BASE_URL: baseUrl,
  CRM_TWILIO_ACCOUNT_SID: `AC${'a'.repeat(32)}`,
  CRM_TWILIO_AUTH_TOKEN: authToken,
  CRM_TWILIO_API_KEY_SID: `SK${'b'.repeat(32)}`,
  CRM_TWILIO_API_KEY_SECRET: 'the-secret-of-the-key-of-the-provider',
  CRM_TWILIO_APP_SID: `AP${'c'.repeat(32)}`,
}

type Owner = Pick<Awaited<ReturnType<typeof registerTenant>>, 'token' | 'tenant'>

/** Gives a tenant in Germany a number that people call. */
export async function makeTelephone(running: ReturnType<typeof useService>, { token, tenant }: Owner) {
  const ownNumber = `+1555${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`
  const { system } = running.service.storage
  const stored = await system.findTenant(tenant._id)
  if (stored === undefined) throw new Error('no tenant')
  const set = { phoneNumbers: [ownNumber] }
  const write = { op: 'update', kind: 'tenants', id: stored._id, expectVersion: stored.version, set } as const
  await system.commit(stored.tenantId, { writes: [write], events: [] })
  const ask = (method: string, path: string, body?: unknown) =>
    call(running.url, { method, path, token, body })
  expect((await ask('PUT', '/api/tenant', { country: 'DE' })).status).toBe(200)

  async function erasuresEnd() {
    const open = async () => {
      const tasks = await system.listTasks(100)
      return tasks.filter(({ tenantId }) => tenantId === tenant._id).length
    }
    await expect.poll(open, { interval: 250 }).toBe(0)
  }

  return {
    ownNumber,
    /** Lets somebody call the tenant's number; returns the call. */
    async ring(from: string) {
      const fields = { CallSid: `CA${randomUUID()}`, From: from, To: ownNumber, CallStatus: 'ringing' }
      const path = `/api/telephony/providers/twilio/voice?tenant=${tenant._id}`
      const signature = twilio.getExpectedTwilioSignature(authToken, baseUrl + path, fields)
      const headers = { 'x-twilio-signature': signature }
      const body = new URLSearchParams(fields)
      const reply = await fetch(running.url + path, { method: 'POST', headers, body })
      expect(reply.status).toBe(200)
      const calls = (await ask('GET', '/api/telephony/calls?limit=100')).body.data
      return calls.find(({ callSid }: { callSid: string }) => callSid === fields.CallSid)
    },
    callOf: async (id: string) => (await ask('GET', `/api/telephony/calls/${id}`)).body.data,
    erasuresEnd,
    async erase({ _id }: { _id: string }) {
      expect((await ask('DELETE', `/api/v1/customers/${_id}`)).status).toBe(200)
      await erasuresEnd()
    },
    async exportOf({ _id }: { _id: string }): Promise<{
      calls: { _id: string }[]
      addresses: { address: string }[]
    }> {
      const headers = { authorization: `Bearer ${token}` }
      const path = `/api/v1/customers/${_id}/export?format=json`
      return (await fetch(running.url + path, { headers })).json() as never
    },
  }
}
