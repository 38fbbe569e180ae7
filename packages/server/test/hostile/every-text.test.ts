import { operations } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { goodRequest } from '../isolation/credentials.ts'
import { fieldsOf, type RequestField, withField } from '../isolation/request-fields.ts'
import { createTenantWorld, type TenantWorld } from '../isolation/world.ts'
import type { Call } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { expectFairCost } from './fair-cost.ts'

// No text of a caller may cost the service more than its length allows, in any field of any operation. The measure is
// the processor time of the whole process, in which this test sends its requests as well.

let running: RunningService
let world: TenantWorld
beforeAll(async () => {
  running = await startService()
  world = await createTenantWorld(running)
})
afterAll(() => running.stop())

/** Just below the limits of a body, and of a request line with its headers. */
const bytesMax = { body: 1_000_000, query: 12_000 }
const headerLength = 12_000
/** The most characters of a text that has no limit of its own. */
const usualLength = 100

/** The worst texts of a length for Unicode's rules, for HTML, for patterns and for search indexes. */
const worstUnits: Readonly<Record<string, string>> = {
  'marks in the wrong order': '\u0301\u0323',
  'marks that become two': '\u0f73',
  'letters that become marks': '\uff9e\u0301',
  'vowels that join': '\u{16d68}',
  'characters that become eighteen': '\ufdfa',
  'characters that all differ': String.fromCodePoint(...Array.from({ length: 20_000 }, (_, i) => 0x4e00 + i)),
  'half pairs': '\ud834\u0301',
  'nested tags': '<b>',
  'tags that close nothing': '<b></i>',
  'characters that become entities': '&',
  'entities without an end': '&#x',
  blanks: ' \u00a0',
  dots: '.-',
  digits: '10',
  words: 'a b',
}

/** The unit repeated, between two letters that keep it from being trimmed. */
function textOf(unit: string, length: number): string {
  return `a${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length - 1).concat('b')
}

function bytesOf(place: RequestField['place'], text: string): number {
  return place === 'body'
    ? Buffer.byteLength(JSON.stringify(text))
    : encodeURIComponent(text.toWellFormed()).length
}

/** The field's own limit; four times as much, which may still be normalized; and as much as a request can hold. */
function lengthsOf({ place, schema }: RequestField, unit: string): number[] {
  const own = (schema instanceof z.ZodString && schema.maxLength) || usualLength
  const sample = textOf(unit, 20_000)
  const most = Math.floor((bytesMax[place] * sample.length) / bytesOf(place, sample))
  return [own, 4 * own, most].filter((length) => length <= most)
}

function isText({ schema }: RequestField): boolean {
  return ['string', 'record', 'unknown'].includes(schema._zod.def.type)
}

function requestWith(asked: Call, { place, path, schema }: RequestField, text: string): Call {
  if (place === 'query') {
    return {
      ...asked,
      path: `${asked.path.split('?')[0]}?${path[0]}=${encodeURIComponent(text.toWellFormed())}`,
    }
  }
  const value = schema._zod.def.type === 'record' ? { [text.slice(0, usualLength)]: text } : text
  // Each message is a new one, with a file that no other message has, and is HTML, which is cleaned before it is
  // stored.
  const message = { clientMessageId: undefined, attachments: undefined, contentType: 'html' }
  const base = {
    ...(asked.body as object | undefined),
    ...(path[0] === 'content' && message),
    ...(path[0] === 'message' && { message: { content: 'Hello', ...message } }),
  }
  return { ...asked, body: undefined, rawBody: JSON.stringify(withField(base, path, value)) }
}

const withTexts = operations
  .filter((operation) => !('isStream' in operation))
  .map((operation) => ({ operation, fields: fieldsOf(operation).filter(isText) }))
  .filter(({ fields }) => fields.length > 0)
  .map(({ operation, fields }) => [operation.id, operation, fields] as const)

describe('a request costs at most 5 ms of processor time per KB, whatever text it holds', () => {
  it.each(withTexts)('in a field of %s', async (id, operation, fields) => {
    // Operations that end sessions, or delete the resource that they name, have a tenant of their own.
    const isRemoving = id.startsWith('auth.') || operation.method === 'DELETE'
    const tenant = isRemoving ? await createTenantWorld(running) : world
    for (const field of fields) {
      for (const [name, unit] of Object.entries(worstUnits)) {
        for (const length of lengthsOf(field, unit)) {
          const request = requestWith(goodRequest(operation, tenant), field, textOf(unit, length))
          const status = await expectFairCost(
            running.url,
            request,
            `${field.path.join('.')}: ${length} ${name}`,
          )
          if (!isRemoving) expect([401, 404]).not.toContain(status)
        }
      }
    }
  })

  it.each([
    'authorization',
    'x-api-key',
    'x-api-version',
    'x-request-id',
    'x-forwarded-for',
    'idempotency-key',
    'content-type',
    'content-encoding',
    'origin',
    'accept',
    'last-event-id',
  ])('in the header %s', async (name) => {
    const create = operations.find(({ id }) => id === 'customers.create')
    if (create === undefined) throw new Error('customers.create is no operation any more')
    for (const unit of ['a.', ',', ', ', ';', '; charset=', '"', '\\', '::', '/', '1.', '\u00fc']) {
      const asked = goodRequest(create, world)
      const headers = { ...asked.headers, [name]: textOf(unit, headerLength) }
      await expectFairCost(running.url, { ...asked, headers }, unit)
    }
  })

  it('in the name of an unknown field', async () => {
    for (const [id, operation] of withTexts.filter(([, { method }]) => method === 'POST')) {
      for (const [name, unit] of Object.entries(worstUnits)) {
        const most = Math.floor((bytesMax.body * 20_000) / bytesOf('body', textOf(unit, 20_000)))
        const asked = goodRequest(operation, world)
        const rawBody = JSON.stringify({ ...(asked.body as object), [textOf(unit, most)]: 1 })
        await expectFairCost(running.url, { ...asked, body: undefined, rawBody }, `${id}: ${name}`)
      }
    }
  })
})
