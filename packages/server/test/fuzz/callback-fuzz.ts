import twilio from 'twilio'
import type { Random } from '../faults/support/random.ts'

// Callbacks of the telephony provider are no operations, so the fuzzer of the document does not know them.

const fuzzBaseUrl = 'https://crm.example.com'
const fuzzAuthToken = 'the-account-token-of-the-provider'
/** The settings of a server that is fuzzed. */
export const fuzzTelephony = {
  CRM_BASE_URL: fuzzBaseUrl,
  CRM_TWILIO_ACCOUNT_SID: `AC${'a'.repeat(32)}`,
  CRM_TWILIO_AUTH_TOKEN: fuzzAuthToken,
  CRM_TWILIO_API_KEY_SID: `SK${'b'.repeat(32)}`,
  CRM_TWILIO_API_KEY_SECRET: 'the-secret-of-the-key-of-the-provider',
  CRM_TWILIO_APP_SID: `AP${'c'.repeat(32)}`,
}

export interface FuzzTarget {
  url: string
  tenantId: string
  /** A number of the tenant. */
  number: string
  /** The name of a browser of the tenant. */
  clientName: string
}

type Form = [name: string, value: string][]

interface Case {
  path: string
  method: string
  form: Form
  signature: string | undefined
  isSigned: boolean
  contentType: string
}

const names = ['voice', 'status', 'recording', 'Voice', 'voice/', '', '%2e%2e', 'status/x'] as const
const statuses = [
  'queued',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'no-answer',
  'canceled',
  'sleeping',
  '',
]
const hostile = [
  '',
  ' ',
  '\u0000',
  '+',
  '+1555',
  '<Response><Dial>+1900</Dial></Response>',
  '\'"&<>]]>',
  '\ud800',
  '𝔘'.repeat(300),
  '-1',
  '1e309',
  '9'.repeat(40),
  '{"$ne":null}',
  "' OR 1=1 --",
  '__proto__',
  'client:__proto__',
  'client:a_b_c',
  '2026-99-99T99:99:99Z',
  'https://[::1',
  'x'.repeat(5_000),
]

/** A form as the provider sends it, of one of a few calls, so that reports about the same call meet. */
function plausibleForm({ number, clientName }: FuzzTarget, random: Random): Form {
  const call = `CA${String(random.below(6)).repeat(32)}`
  const form: Form = [
    ['CallSid', call],
    ['AccountSid', fuzzTelephony.CRM_TWILIO_ACCOUNT_SID],
    ['From', random.isOneIn(3) ? `client:${clientName}` : '+15551234567'],
    ['To', random.isOneIn(4) ? '+15559999999' : number],
    ['CallStatus', random.pick(statuses)],
  ]
  if (random.isOneIn(3)) form.push(['ParentCallSid', `CA${String(random.below(6)).repeat(32)}`])
  if (random.isOneIn(2)) form.push(['CallDuration', String(random.below(500))])
  if (random.isOneIn(2)) form.push(['customerPhone', '+15557654321'])
  if (random.isOneIn(3)) form.push(['Timestamp', 'Sun, 22 Nov 2026 10:00:00 +0000'])
  if (random.isOneIn(3)) {
    form.push(['RecordingStatus', random.pick(['completed', 'failed', 'absent'])])
    form.push(['RecordingUrl', 'https://api.example.com/recording'], ['RecordingDuration', '12'])
  }
  return form
}

function mutate(form: Form, random: Random): Form {
  const at = random.below(form.length)
  const [name, value] = form[at] as Form[number]
  switch (random.below(5)) {
    case 0:
      return form.toSpliced(at, 1)
    case 1:
      return form.toSpliced(at, 1, [name, random.pick(hostile)])
    case 2:
      return [...form, [name, random.pick(hostile)]]
    case 3:
      return form.toSpliced(at, 1, [random.pick(hostile) || 'x', value])
    default:
      return [...form, [random.pick(hostile) || 'x', random.pick(hostile)]]
  }
}

/** As the provider signs: its library takes a list where a name is there more than once. */
function signatureOf(path: string, form: Form): string {
  const fields: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of form.map(([n, v]) => [n.toWellFormed(), v.toWellFormed()] as const)) {
    const known = fields[name]
    fields[name] = known === undefined ? value : [...[known].flat(), value]
  }
  return twilio.getExpectedTwilioSignature(fuzzAuthToken, fuzzBaseUrl + path, fields)
}

function newCase(target: FuzzTarget, random: Random): Case {
  const name = random.isOneIn(8) ? random.pick(names) : random.pick(names.slice(0, 3))
  const tenant = random.isOneIn(10)
    ? random.pick(['ten_unknown', '', '%00', hostile[5] ?? ''])
    : target.tenantId
  const query = random.isOneIn(15) ? '' : `?tenant=${encodeURIComponent(tenant)}`
  const path = `/api/telephony/providers/twilio/${name}${query}`
  let form = plausibleForm(target, random)
  for (let mutations = random.below(4); mutations > 0; mutations--) form = mutate(form, random)
  const right = signatureOf(path, form)
  const wrong = [
    undefined,
    '',
    right.slice(0, -2),
    `${right}=`,
    right.toLowerCase(),
    signatureOf(`${path}&x`, form),
    signatureOf(path, [...form, ['Extra', '1']]),
  ]
  const signature = random.isOneIn(4) ? random.pick(wrong) : right
  return {
    path,
    method: random.isOneIn(25) ? random.pick(['PUT', 'DELETE', 'PATCH']) : 'POST',
    form,
    signature,
    isSigned: signature === right,
    contentType: random.isOneIn(25)
      ? random.pick(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])
      : 'application/x-www-form-urlencoded',
  }
}

const instructions = /^<\?xml version="1\.0" encoding="UTF-8"\?><Response>.*<\/Response>$/s

/** Returns the faults of a response; empty when it is as it has to be. */
function faultsOf({ isSigned, method }: Case, status: number, text: string): string[] {
  const faults: string[] = []
  if (status >= 500) faults.push('a server error')
  if (status === 200) {
    if (!isSigned) faults.push('a change without a signature')
    if (method !== 'POST') faults.push('a method that is not POST')
    if (!instructions.test(text) || text.includes('+1900'))
      faults.push(`other instructions: ${text.slice(0, 200)}`)
  } else if (!/^\{"success":false,"error":"/.test(text))
    faults.push(`no error envelope: ${text.slice(0, 200)}`)
  return faults
}

export interface CallbackFuzzReport {
  cases: number
  /** Callbacks that the server took. */
  taken: number
  faults: readonly string[]
}

/** Sends generated callbacks to a server, one after the other. */
export async function fuzzCallbacks(
  target: FuzzTarget,
  { random, cases }: { random: Random; cases: number },
): Promise<CallbackFuzzReport> {
  const faults: string[] = []
  let taken = 0
  for (let index = 0; index < cases; index++) {
    const one = newCase(target, random)
    const headers = {
      'content-type': one.contentType,
      ...(one.signature !== undefined && { 'x-twilio-signature': one.signature }),
    }
    const body = new URLSearchParams(
      one.form.map(([n, v]): Form[number] => [n.toWellFormed(), v.toWellFormed()]),
    ).toString()
    const response = await fetch(target.url + one.path, { method: one.method, headers, body })
    const text = await response.text()
    if (response.status === 200) taken += 1
    for (const fault of faultsOf(one, response.status, text))
      faults.push(
        `${fault}: case ${index}, ${response.status}, ${one.method} ${one.path} ${body.slice(0, 300)}`,
      )
  }
  return { cases, taken, faults }
}
