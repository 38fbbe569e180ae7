import jwt from 'jsonwebtoken'
import twilio from 'twilio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'

// The provider's own library makes tokens and signatures here, so that the proof is not ours alone.

const accountSid = `AC${'a'.repeat(32)}`
const apiKeySid = `SK${'b'.repeat(32)}`
const applicationSid = `AP${'c'.repeat(32)}`
const authToken = 'the-account-token-of-the-provider'
const apiKeySecret = 'the-secret-of-the-key-of-the-provider'
const baseUrl = 'https://crm.example.com'
const ownNumber = '+15550000001'
const customerPhone = '+15551234567'

let running: RunningService
let owner: Awaited<ReturnType<typeof registerTenant>>

beforeAll(async () => {
  running = await startService({
    CRM_BASE_URL: baseUrl,
    CRM_TWILIO_ACCOUNT_SID: accountSid,
    CRM_TWILIO_AUTH_TOKEN: authToken,
    CRM_TWILIO_API_KEY_SID: apiKeySid,
    CRM_TWILIO_API_KEY_SECRET: apiKeySecret,
    CRM_TWILIO_APP_SID: applicationSid,
  })
  owner = await registerTenant(running.url)
  await giveNumber(owner.tenant._id, ownNumber)
  const body = { availability: 'online' }
  await call(running.url, { method: 'PUT', path: '/api/v1/users/me', token: owner.token, body })
})
afterAll(() => running.stop())

async function giveNumber(tenantId: string, number: string) {
  const { system } = running.service.storage
  const tenant = await system.findTenant(tenantId)
  if (tenant === undefined) throw new Error('no tenant')
  const set = { phoneNumbers: [number] }
  const write = { op: 'update', kind: 'tenants', id: tenantId, expectVersion: tenant.version, set } as const
  await system.commit(tenant.tenantId, { writes: [write], events: [] })
}

const send = (method: string, path: string, body?: unknown, token = owner.token) =>
  call(running.url, { method, path, token, body })

interface Callback {
  name: 'voice' | 'status' | 'recording'
  fields: Record<string, string>
  tenant?: string
  /** Default: the one that the provider's library makes. */
  signature?: string | undefined
}

/** Sends a callback as the provider does, over a real socket. */
async function report({ name, fields, tenant = owner.tenant._id, ...given }: Callback) {
  const path = `/api/telephony/providers/twilio/${name}?tenant=${tenant}`
  const made = twilio.getExpectedTwilioSignature(authToken, baseUrl + path, fields)
  const signature = 'signature' in given ? given.signature : made
  const response = await fetch(running.url + path, {
    method: 'POST',
    headers: signature === undefined ? {} : { 'x-twilio-signature': signature },
    body: new URLSearchParams(fields),
  })
  return { status: response.status, text: await response.text() }
}

const newSid = () => `CA${crypto.randomUUID().replaceAll('-', '')}`
const statusOf = (CallSid: string, CallStatus: string, fields: Record<string, string> = {}) =>
  report({ name: 'status', fields: { CallSid, CallStatus, ...fields } })
const callsOf = async (sid: string) => {
  const { body } = await send('GET', '/api/telephony/calls?limit=100')
  return body.data.filter((one: { callSid: string }) => one.callSid === sid)
}
const eventsOf = async (callId: string): Promise<string[]> => {
  const { body } = await send(
    'GET',
    '/api/v1/events?after=earliest&limit=100&types=call.initiated,call.ringing,call.answered,call.completed,call.failed,call.recording.available',
  )
  return body.data
    .filter(({ data }: { data: { _id: string } }) => data._id === callId)
    .map(({ event }: { event: string }) => event)
}
/** Lets a customer call the tenant's number; resolves to the call. */
async function ring(sid: string, from = customerPhone) {
  const fields = { CallSid: sid, From: from, To: ownNumber, CallStatus: 'ringing', Direction: 'inbound' }
  const { status, text } = await report({ name: 'voice', fields })
  expect(status).toBe(200)
  return { text, call: (await callsOf(sid))[0] }
}

describe('a capability token', () => {
  it('is what the provider’s own library makes, and lives ten minutes [tagItem.fields telephony.token]', async () => {
    const { status, body } = await send('POST', '/api/telephony/webrtc/capability-token', { customerPhone })
    expect(status).toBe(200)
    const { capabilityToken, clientName, provider } = body.data
    expect([provider, clientName]).toEqual(['twilio', `${owner.tenant._id}_${owner.user._id}`])
    expect(clientName).toMatch(/^[A-Za-z0-9_]{1,121}$/)
    const ours = jwt.verify(capabilityToken, apiKeySecret, { complete: true })
    const grant = new twilio.jwt.AccessToken.VoiceGrant({
      incomingAllow: true,
      outgoingApplicationSid: applicationSid,
      outgoingApplicationParams: { customerPhone, agentId: owner.user._id },
    })
    const made = new twilio.jwt.AccessToken(accountSid, apiKeySid, apiKeySecret, {
      identity: clientName,
      ttl: 600,
    })
    made.addGrant(grant)
    const theirs = jwt.verify(made.toJwt(), apiKeySecret, { complete: true })
    const timeless = ({ iat: _iat, exp: _exp, jti: _jti, ...rest }: jwt.JwtPayload) => rest
    expect(ours.header).toEqual(theirs.header)
    expect(timeless(ours.payload as jwt.JwtPayload)).toEqual(timeless(theirs.payload as jwt.JwtPayload))
    const { iat = 0, exp = 0, jti } = ours.payload as jwt.JwtPayload
    expect([exp - iat, jti]).toEqual([600, `${apiKeySid}-${iat}`])
  })

  it('is for oneself; only an admin names somebody else, and only an active user of the tenant [telephony.token]', async () => {
    const agent = await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
    const path = '/api/telephony/webrtc/capability-token'
    const body = { customerPhone, agentId: owner.user._id }
    expect((await send('POST', path, body, agent.token)).status).toBe(403)
    expect((await send('POST', path, { customerPhone, agentId: agent.userId })).status).toBe(200)
    const foreign = await registerTenant(running.url)
    const refused = await send('POST', path, { customerPhone, agentId: foreign.user._id })
    expect([refused.status, refused.body.details[0].field]).toEqual([422, 'agentId'])
  })

  it('needs a phone number in international form, which may be typed with blanks', async () => {
    const path = '/api/telephony/webrtc/capability-token'
    for (const wrong of ['5551234567', '+0123456789', '+1', 'anna', '', `+${'1'.repeat(16)}`]) {
      const { status, body } = await send('POST', path, { customerPhone: wrong })
      expect([wrong, status, body.details[0].field]).toEqual([wrong, 422, 'customerPhone'])
    }
    expect((await send('POST', path, { customerPhone: '+1 (555) 123-45.67' })).status).toBe(200)
  })
})

describe('calls of the API', () => {
  it('are recorded, listed, read and remarked on, and tell one event [call.metadata telephony.metadata]', async () => {
    const customer = (await send('POST', '/api/v1/customers', { firstName: 'Grace' })).body.data
    const made = await send('POST', '/api/telephony/calls', { to: customerPhone, customerId: customer._id })
    expect(made.status).toBe(201)
    const { _id } = made.body.data
    expect(made.body.data).toMatchObject({
      kind: 'call',
      status: 'initiated',
      direction: 'outbound',
      agentId: owner.user._id,
      customerId: customer._id,
      to: customerPhone,
    })
    const listed = await send('GET', `/api/telephony/calls?customerId=${customer._id}&status=initiated`)
    expect(listed.body.data).toEqual([made.body.data])
    const path = `/api/telephony/calls/${_id}`
    const remarks = { notes: 'Asked for an invoice', tags: ['Billing', 'billing'], rating: 5 }
    const updated = await send('PATCH', `${path}/metadata`, remarks)
    expect(updated.body.data.metadata).toEqual({ ...remarks, tags: ['Billing'] })
    expect((await send('PATCH', `${path}/metadata`, { notes: null })).body.data.metadata).toEqual({
      notes: null,
      tags: ['Billing'],
      rating: 5,
    })
    expect((await send('GET', path)).body.data.metadata.rating).toBe(5)
    await expect.poll(() => eventsOf(_id)).toEqual(['call.initiated'])
  })

  it('refuse a rating that is none, remarks without a field, and ids of others [telephony.metadata]', async () => {
    const { _id } = (await send('POST', '/api/telephony/calls', { to: customerPhone })).body.data
    const path = `/api/telephony/calls/${_id}/metadata`
    for (const rating of [0, 6, 1.5, '5']) expect((await send('PATCH', path, { rating })).status).toBe(422)
    expect((await send('PATCH', path, {})).status).toBe(422)
    const foreign = await registerTenant(running.url)
    for (const field of ['customerId', 'conversationId', 'agentId']) {
      const body = { to: customerPhone, [field]: foreign.user._id }
      const refused = await send('POST', '/api/telephony/calls', body)
      expect([refused.status, refused.body.details[0].field]).toEqual([422, field])
    }
    expect((await send('GET', `/api/telephony/calls/${_id}`, undefined, foreign.token)).status).toBe(404)
  })

  it('move with a merged customer and go with an erased one', async () => {
    const create = async () => (await send('POST', '/api/v1/customers', { firstName: 'Ada' })).body.data._id
    const [target, source] = [await create(), await create()]
    const { _id } = (await send('POST', '/api/telephony/calls', { to: customerPhone, customerId: source }))
      .body.data
    await send('POST', `/api/v1/customers/${target}/merge`, { sourceId: source })
    expect((await send('GET', `/api/telephony/calls/${_id}`)).body.data.customerId).toBe(target)
    await send('DELETE', `/api/v1/customers/${target}`)
    expect((await send('GET', `/api/telephony/calls/${_id}`)).status).toBe(404)
  })
})

describe('callbacks', () => {
  it('without the provider’s signature change nothing', async () => {
    const sid = newSid()
    const fields = { CallSid: sid, From: customerPhone, To: ownNumber, CallStatus: 'ringing' }
    const path = `${baseUrl}/api/telephony/providers/twilio/voice?tenant=${owner.tenant._id}`
    const right = twilio.getExpectedTwilioSignature(authToken, path, fields)
    const other = await registerTenant(running.url)
    const wrong: Callback[] = [
      { name: 'voice', fields, signature: undefined },
      { name: 'voice', fields, signature: 'AAAA' },
      { name: 'voice', fields, signature: twilio.getExpectedTwilioSignature('another', path, fields) },
      { name: 'voice', fields: { ...fields, To: '+15559999999' }, signature: right },
      { name: 'status', fields, signature: right },
      { name: 'voice', fields, signature: right, tenant: other.tenant._id },
    ]
    for (const callback of wrong) expect((await report(callback)).status).toBe(403)
    expect(await callsOf(sid)).toEqual([])
    expect((await report({ name: 'voice', fields, signature: right })).status).toBe(200)
  })

  it('ring the available agents for a customer who calls, and know the customer by the number', async () => {
    const created = await send('POST', '/api/v1/customers', { firstName: 'Lin', phone: '+1 555 777 00 01' })
    const { text, call: inbound } = await ring(newSid(), '+15557770001')
    expect(inbound).toMatchObject({
      direction: 'inbound',
      status: 'initiated',
      from: '+15557770001',
      to: ownNumber,
      customerId: created.body.data._id,
    })
    expect(text).toContain(`>${owner.tenant._id}_${owner.user._id}</Client>`)
    expect(text).toContain('answerOnBridge="true"')
    await expect.poll(() => eventsOf(inbound._id)).toEqual(['call.initiated'])
  })

  it.each([
    ['nobody, when two customers have the number', ['+49 30 1234501', '+49301234501'], '+49301234501', null],
    ['the only one, however the number is written', ['+49 (0)30 12345-02'], '+49301234502', 0],
    ['the only one whose digits are all equal', ['49301234503', '+1 930 1234503'], '+49301234503', 0],
    ['nobody, when only the end is equal', ['+43 1 30123450', '030 1234504'], '+49301234504', null],
  ])('give a call to %s', async (_, phones, from, index) => {
    const ids: string[] = []
    for (const phone of phones) ids.push((await send('POST', '/api/v1/customers', { phone })).body.data._id)
    const { call: inbound } = await ring(newSid(), from)
    expect(inbound.customerId).toBe(index === null ? null : ids[index])
  })

  it('give a call to the one who is left after a merge', async () => {
    const phone = '+49 30 1234505'
    const [source, target] = [
      await send('POST', '/api/v1/customers', { phone }),
      await send('POST', '/api/v1/customers', { phone }),
    ].map(({ body }) => body.data._id)
    await send('POST', `/api/v1/customers/${target}/merge`, { sourceId: source })
    expect((await ring(newSid(), '+49301234505')).call.customerId).toBe(target)
  })

  it('connect a browser with the number that its token names', async () => {
    const sid = newSid()
    const From = `client:${owner.tenant._id}_${owner.user._id}`
    const { text } = await report({ name: 'voice', fields: { CallSid: sid, From, To: '', customerPhone } })
    expect(text).toContain(`callerId="${ownNumber}"`)
    expect(text).toContain(`>${customerPhone}</Number>`)
    expect((await callsOf(sid))[0]).toMatchObject({ direction: 'outbound', agentId: owner.user._id })
    // The agent's own side is up at once: the customer has not answered by that.
    await statusOf(sid, 'in-progress')
    expect((await callsOf(sid))[0].status).toBe('initiated')
    await statusOf(newSid(), 'in-progress', { ParentCallSid: sid })
    expect((await callsOf(sid))[0].status).toBe('answered')
  })

  it('never end in an instruction that a field has written', async () => {
    const From = `client:${owner.tenant._id}_${owner.user._id}`
    const hostile = '+1555</Number><Sip>evil</Sip>'
    const { text } = await report({
      name: 'voice',
      fields: { CallSid: newSid(), From, customerPhone: hostile },
    })
    expect(text).not.toContain('evil')
  })

  it('tell one event for each move, in whatever order and how often reports come [event.callInitiated event.callRinging event.callAnswered event.callCompleted event.callFailed]', async () => {
    const reports = ['ringing', 'in-progress', 'completed'] as const
    const height = { ringing: 1, 'in-progress': 2, completed: 3 }
    const eventOf = { ringing: 'ringing', 'in-progress': 'answered', completed: 'completed' }
    for (const order of permutations(reports)) {
      const sid = newSid()
      const { call: inbound } = await ring(sid)
      for (const status of [...order, ...order]) {
        const { status: code } = await statusOf(sid, status, { CallDuration: '42' })
        expect(code).toBe(200)
      }
      const risen = order.filter((status, i) =>
        order.slice(0, i).every((before) => height[before] < height[status]),
      )
      await expect
        .poll(() => eventsOf(inbound._id))
        .toEqual(['call.initiated', ...risen.map((status) => `call.${eventOf[status]}`)])
      const [after] = await callsOf(sid)
      expect(after).toMatchObject({ status: 'completed', durationSeconds: 42 })
      expect(after.answeredAt).not.toBeNull()
    }
  })

  it('that come at once tell one event for each move [event.callInitiated event.callRinging event.callAnswered event.callCompleted event.callFailed]', async () => {
    const sid = newSid()
    const { call: inbound } = await ring(sid)
    const answers = await Promise.all(Array.from({ length: 8 }, () => statusOf(sid, 'busy')))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    await expect.poll(() => eventsOf(inbound._id)).toEqual(['call.initiated', 'call.failed'])
    expect((await callsOf(sid))[0]).toMatchObject({ status: 'failed', failureReason: 'busy' })
  })

  it('of the browsers that did not take the call leave it as it is', async () => {
    const sid = newSid()
    const { call: inbound } = await ring(sid)
    const leg = { ParentCallSid: sid, Direction: 'outbound-dial' }
    await statusOf(newSid(), 'ringing', leg)
    await statusOf(newSid(), 'in-progress', leg)
    await statusOf(newSid(), 'canceled', leg)
    await statusOf(newSid(), 'no-answer', leg)
    expect((await callsOf(sid))[0]).toMatchObject({ status: 'answered', failureReason: null })
    await statusOf(sid, 'completed', { CallDuration: '5' })
    expect((await callsOf(sid))[0]).toMatchObject({ status: 'completed', durationSeconds: 5 })
    await expect
      .poll(() => eventsOf(inbound._id))
      .toEqual(['call.initiated', 'call.ringing', 'call.answered', 'call.completed'])
  })

  it('about a recording tell it once, and a failed recording is none [event.callRecording]', async () => {
    const sid = newSid()
    const { call: inbound } = await ring(sid)
    const recording = (RecordingStatus: string) => ({
      name: 'recording' as const,
      fields: {
        CallSid: sid,
        RecordingStatus,
        RecordingUrl: 'https://api.twilio.example/recording',
        RecordingDuration: '7',
      },
    })
    await report(recording('failed'))
    expect((await callsOf(sid))[0].recording.available).toBe(false)
    await report(recording('completed'))
    await report(recording('completed'))
    expect((await callsOf(sid))[0].recording).toEqual({
      available: true,
      url: 'https://api.twilio.example/recording',
      durationSeconds: 7,
    })
    await expect.poll(() => eventsOf(inbound._id)).toEqual(['call.initiated', 'call.recording.available'])
  })

  it('about a call that comes in are kept beyond the quota of the tenant; a call that a browser begins is then busy', async () => {
    const limited = await registerTenant(running.url)
    const own = '+15550000077'
    await giveNumber(limited.tenant._id, own)
    const { system } = running.service.storage
    const { tenantId, version } = (await system.findTenant(limited.tenant._id))!
    const set = { limits: { calls: 1 } }
    const write = { op: 'update', kind: 'tenants', id: tenantId, expectVersion: version, set } as const
    await system.commit(tenantId, { writes: [write], events: [] })
    const ask = (method: string, path: string, body?: unknown) => send(method, path, body, limited.token)
    await ask('PUT', '/api/v1/users/me', { availability: 'online' })
    const ring = () =>
      report({
        name: 'voice',
        tenant: tenantId,
        fields: { CallSid: newSid(), From: customerPhone, To: own },
      })
    for (const _ of ['within the quota', 'beyond it', 'far beyond it']) {
      expect(await ring()).toMatchObject({ status: 200, text: expect.stringContaining('<Dial') })
    }
    const unknown = { CallSid: newSid(), CallStatus: 'ringing', From: customerPhone, To: own }
    expect((await report({ name: 'status', tenant: tenantId, fields: unknown })).status).toBe(200)
    const { data } = (await ask('GET', '/api/telephony/calls')).body
    expect(data.map(({ direction }: { direction: string }) => direction)).toEqual(Array(4).fill('inbound'))
    expect((await ask('GET', '/api/tenant')).body.data.usage.calls).toEqual({ used: 4, limit: 1 })

    const { clientName } = (await ask('POST', '/api/telephony/webrtc/capability-token', { customerPhone }))
      .body.data
    const begun = { CallSid: newSid(), From: `client:${clientName}`, customerPhone }
    expect(await report({ name: 'voice', tenant: tenantId, fields: begun })).toMatchObject({
      status: 200,
      text: expect.stringContaining('<Reject reason="busy"/>'),
    })
    expect((await ask('POST', '/api/telephony/calls', { to: customerPhone })).body.code).toBe(
      'QUOTA_EXCEEDED',
    )
    expect((await ask('GET', '/api/telephony/calls')).body.data).toHaveLength(4)
  })

  it('about an unknown call keep it when it came to a number of the tenant, and only then', async () => {
    const [known, unknown] = [newSid(), newSid()]
    const fields = { From: customerPhone, To: ownNumber }
    expect((await statusOf(known, 'completed', fields)).status).toBe(200)
    const [stored] = await callsOf(known)
    expect(stored).toMatchObject({ status: 'completed', direction: 'inbound' })
    await expect.poll(() => eventsOf(stored._id)).toEqual(['call.completed'])
    expect((await statusOf(unknown, 'completed', { ...fields, To: '+15559999999' })).status).toBe(404)
    expect(await callsOf(unknown)).toEqual([])
  })
})

describe('without a provider', () => {
  it('a staging server signs tokens with a development key and refuses callbacks', async () => {
    const local = await startService()
    try {
      const { token } = await registerTenant(local.url)
      const answer = await call(local.url, {
        method: 'POST',
        path: '/api/telephony/webrtc/capability-token',
        token,
        body: { customerPhone },
      })
      expect([answer.status, answer.body.data.provider]).toEqual([200, 'local'])
      const refused = await fetch(`${local.url}/api/telephony/providers/twilio/voice?tenant=ten_a`, {
        method: 'POST',
        body: new URLSearchParams({ CallSid: 'CA1' }),
      })
      expect(refused.status).toBe(403)
    } finally {
      await local.stop()
    }
  })
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]))
}
