import { newWebhookSecret, signStandardWebhook, signWebhookBody } from '@crmkit/core'
import { expect, test } from 'vitest'
import { createSecretBox } from '../../security/secret-box.ts'
import type { WebhookRecord } from '../../storage/kinds/webhooks.ts'
import { sealWebhook } from './seal-webhook.ts'
import { signerOf } from './webhook-signer.ts'

const box = createSecretBox(['a key of at least thirty-two bytes!!'])
const [secret, previous] = [newWebhookSecret(), newWebhookSecret()]
const now = '2026-11-22T12:00:00.000Z'
const settings = {
  _id: 'whk_1',
  tenantId: 'ten_1',
  name: 'a',
  url: 'https://shop.example.com/hook',
  events: [],
  isActive: true,
  headers: { Authorization: 'Bearer own' },
  retryPolicy: { maxRetries: 3, backoffStrategy: 'exponential' as const },
  createdAt: now,
  updatedAt: now,
}
const rowOf = (signing: Parameters<typeof sealWebhook>[2]): WebhookRecord =>
  sealWebhook(box, settings, signing)

test.each(['{}', '{"name":"Zoë \ud83e\uddf5"}', 'half a pair: \ud83e', ''])(
  'signs %j as the functions that receivers verify with',
  async (body) => {
    const { headers, sign } = signerOf(box, rowOf(secret))
    const content = { id: 'evt_1', unixSeconds: 1_700_000_000, body }
    expect(headers).toEqual({ Authorization: 'Bearer own' })
    expect(sign(content)).toEqual({
      ofBody: { 'X-Webhook-Signature': await signWebhookBody(body, secret) },
      standard: await signStandardWebhook({ id: 'evt_1', timestamp: 1_700_000_000, body }, secret),
    })
  },
)

test('the same signer adds a second signature until the overlap of a rotation ends, and none after it', () => {
  const row = rowOf({ secret, previous: { secret: previous, validUntil: now } })
  const endSeconds = Date.parse(now) / 1000
  const signatures = (unixSeconds: number) => {
    const { ofBody, standard } = signerOf(box, row).sign({ id: 'evt_1', unixSeconds, body: '{}' })
    return { names: Object.keys(ofBody), standards: standard.split(' ').length }
  }
  expect(signatures(endSeconds - 1)).toEqual({
    names: ['X-Webhook-Signature', 'X-Webhook-Signature-Next'],
    standards: 2,
  })
  expect(signatures(endSeconds)).toEqual({ names: ['X-Webhook-Signature'], standards: 1 })
})

test('a sealed text that stands in the row of another webhook or tenant signs nothing', () => {
  const row = rowOf(secret)
  signerOf(box, row)
  expect(() => signerOf(box, { ...row, _id: 'whk_2' })).toThrow()
  expect(() => signerOf(box, { ...row, tenantId: 'ten_2' })).toThrow()
})

test('a changed secret signs the next attempt', () => {
  const [before, after] = [rowOf(previous), rowOf(secret)].map((row) =>
    signerOf(box, row).sign({ id: 'evt_1', unixSeconds: 1, body: '{}' }),
  )
  expect(before).not.toEqual(after)
})
