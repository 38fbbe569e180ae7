import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signStandardWebhook, signWebhookBody } from '@crmkit/core/signing'
import { describe, expect, it } from 'vitest'
import { diagnose } from '../src/commands/webhooks/verify-delivery.ts'
import { makeMachine } from './support/run-crm.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
// With a + and a /, so that every change of base64 is visible.
const oddSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7/D'
const nowSeconds = 1_700_000_000
const sent = '{"id":"evt_1","event":"customer.created","data":{"name":"Zoë","url":"a/b"}}'

async function trio(signedBody = sent, { by = secret, at = nowSeconds, id = 'evt_1' } = {}) {
  const signature = await signStandardWebhook({ id, timestamp: at, body: signedBody }, by)
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature }
}

function diagnosisOf(
  body: string | Uint8Array,
  headers: Record<string, string>,
  secrets: readonly string[] = [secret],
) {
  const named = secrets.map((text, index) => ({ name: `secret-${index}`, text }))
  return diagnose({ body: Buffer.from(body), headers, secrets: named }, nowSeconds * 1000)
}

describe('an unchanged delivery', () => {
  it('is valid by the Standard Webhooks trio and by X-Webhook-Signature', async () => {
    expect(await diagnosisOf(sent, await trio())).toMatchObject({ isValid: true, verified: 'standard' })
    const plain = { 'x-webhook-signature': await signWebhookBody(sent, secret) }
    expect(await diagnosisOf(sent, plain)).toMatchObject({ isValid: true, verified: 'body' })
  })

  it('is valid with one of several secrets, and the diagnosis names its file', async () => {
    const diagnosis = await diagnosisOf(sent, await trio(), [oddSecret, secret])
    expect(diagnosis).toMatchObject({ isValid: true, explanation: expect.stringContaining('secret-1') })
  })
})

describe('a changed body', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['a trailing newline', `${sent}\n`, /newline/],
    ['a Windows newline', `${sent}\r\n`, /newline/],
    ['a byte order mark', `\ufeff${sent}`, /byte order mark/],
    ['indentation', JSON.stringify(JSON.parse(sent), null, 2), /written again/],
    ['escaped slashes and letters', sent.replace('/', '\\/').replace('ë', '\\u00eb'), /written again/],
    ['indentation and a newline', `${JSON.stringify(JSON.parse(sent), null, 2)}\n`, /written again/],
    ['base64', Buffer.from(sent).toString('base64'), /base64/],
    ['a JSON text in a JSON text', JSON.stringify(sent), /inside a JSON text/],
    ['URL encoding', encodeURIComponent(sent), /URL-encoded/],
    ['a form field', `payload=${encodeURIComponent(sent)}`, /URL-encoded/],
    ['UTF-8 read as Latin-1', Buffer.from(sent).toString('latin1'), /Latin-1/],
    ['UTF-8 written as Latin-1', Buffer.from(sent, 'latin1'), /Latin-1/],
  ])('is explained: %s', async (_, body, words) => {
    const diagnosis = await diagnosisOf(body, await trio())
    expect(diagnosis).toMatchObject({ isValid: false, cause: 'body_changed' })
    expect(diagnosis.explanation).toMatch(words)
  })

  it('is reported as unknown when no known change explains it', async () => {
    const reordered = '{"event":"customer.created","id":"evt_1","data":{"name":"Zoë","url":"a/b"}}'
    expect(await diagnosisOf(reordered, await trio())).toMatchObject({ cause: 'unknown' })
  })
})

describe('a changed secret', () => {
  it.each([
    ['blanks', ` ${oddSecret} `, /blanks/],
    ['a line end', `${oddSecret}\n`, /blanks/],
    ['quotes', `"${oddSecret}"`, /quotes/],
    ['no prefix', oddSecret.slice(6), /prefix/],
    ['two prefixes', `whsec_${oddSecret}`, /twice/],
    ['base64url', oddSecret.replace('+', '-').replace('/', '_'), /base64url/],
    ['a blank for +', oddSecret.replace('+', ' '), /blank/],
    ['URL encoding', encodeURIComponent(oddSecret), /URL-encoded/],
  ])('is explained: %s', async (_, text, words) => {
    const plain = { 'x-webhook-signature': await signWebhookBody(sent, oddSecret) }
    const diagnosis = await diagnosisOf(sent, plain, [text])
    expect(diagnosis).toMatchObject({ isValid: false, cause: 'secret_changed' })
    expect(diagnosis.explanation).toMatch(words)
    expect(JSON.stringify(diagnosis)).not.toContain('C2FVsBQ')
  })

  it('is reported as another secret when an unchanged body has a foreign signature', async () => {
    const diagnosis = await diagnosisOf(sent, await trio(sent, { by: oddSecret }))
    expect(diagnosis).toMatchObject({ cause: 'other_secret' })
    expect(diagnosis.advice).toContain('environment')
  })
})

describe('changed headers', () => {
  it('are explained by a clock that is fast or slow, to the second', async () => {
    expect(await diagnosisOf(sent, await trio(sent, { at: nowSeconds - 300 }))).toMatchObject({
      isValid: true,
    })
    const old = await diagnosisOf(sent, await trio(sent, { at: nowSeconds - 301 }))
    expect(old).toMatchObject({
      isValid: false,
      cause: 'clock',
      explanation: expect.stringContaining('301 s ago'),
    })
    const early = await diagnosisOf(sent, await trio(sent, { at: nowSeconds + 3600 }))
    expect(early.advice).toContain('slow')
  })

  it('are explained by a lost prefix', async () => {
    const headers = await trio()
    const bare = { ...headers, 'webhook-signature': headers['webhook-signature'].slice(3) }
    expect(await diagnosisOf(sent, bare)).toMatchObject({ cause: 'bad_format', isValid: false })
    const plain = (await signWebhookBody(sent, secret)).slice('sha256='.length)
    expect(await diagnosisOf(sent, { 'x-webhook-signature': plain })).toMatchObject({ cause: 'bad_format' })
  })

  it('are explained by missing headers and by a time in milliseconds', async () => {
    const { 'webhook-timestamp': _, ...dropped } = await trio()
    const missing = await diagnosisOf(sent, dropped)
    expect(missing).toMatchObject({
      cause: 'missing_header',
      explanation: expect.stringContaining('webhook-timestamp'),
    })
    expect(await diagnosisOf(sent, {})).toMatchObject({ cause: 'missing_header' })
    const inMs = { ...(await trio()), 'webhook-timestamp': String(nowSeconds * 1000) }
    expect((await diagnosisOf(sent, inMs)).explanation).toContain('milliseconds')
  })

  it('are explained by headers of another delivery', async () => {
    const headers = { ...(await trio()), 'webhook-id': 'evt_2' }
    expect(await diagnosisOf(sent, headers)).toMatchObject({ cause: 'wrong_id' })
  })
})

describe('the command', () => {
  it('reads secret, headers and body from files and stdin, and ends with 0 or 1', async () => {
    const machine = makeMachine()
    const file = (name: string, text: string) => writeFileSync(join(machine.directory, name), text)
    const now = Math.floor(Date.now() / 1000)
    const headers = await trio(sent, { at: now })
    file('hook.secret', `${secret}\n`)
    file(
      'headers',
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    )
    const args = ['webhooks', 'verify', '--secret-file', 'hook.secret', '--headers-file', 'headers']
    expect(await machine.run(args, { stdin: sent })).toMatchObject({ code: 0, stdout: 'valid\n' })
    const changed = await machine.run(args, { stdin: `${sent}\n` })
    expect(changed).toMatchObject({ code: 1, stdout: 'body_changed\n' })
    expect(changed.stderr).toContain('a newline was added')
    file('body', sent)
    const flags = ['--signature', await signWebhookBody(sent, secret), '--body-file', 'body', '--json']
    const plain = await machine.run(['webhooks', 'verify', '--secret-stdin', ...flags], {
      stdin: `${secret}\n`,
    })
    expect(JSON.parse(plain.stdout)).toMatchObject({ isValid: true, verified: 'body' })
    expect((await machine.run(['webhooks', 'verify'], { stdin: sent })).code).toBe(2)
    expect((await machine.run(args)).code).toBe(2)
  })
})
