import { type AnyOperation, operations } from '@crmkit/core'
import { z } from 'zod'
import { fieldsOf, type RequestField, withField } from '../isolation/request-fields.ts'
import type { Call } from '../support/call.ts'

// The texts that cost the service most, for every text field of every operation.

/** Just under what a body, and a request line with its headers, may hold. */
export const bytesMax = { body: 1_000_000, query: 12_000 }
/** Of a text that has no limit of its own. */
const usualLength = 100

/** The worst that a text of its length can be for Unicode's rules, for HTML, for patterns and for search indexes. */
export const worstUnits: Readonly<Record<string, string>> = {
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

/** The unit again and again, between two letters that keep it from being trimmed. */
export function textOf(unit: string, length: number): string {
  return `a${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length - 1).concat('b')
}

export function bytesOf(place: RequestField['place'], text: string): number {
  return place === 'body'
    ? Buffer.byteLength(JSON.stringify(text))
    : encodeURIComponent(text.toWellFormed()).length
}

/** The field's own limit; four times as much, which may still be normalized; and as much as a request can hold. */
export function lengthsOf({ place, schema }: RequestField, unit: string): number[] {
  const own = (schema instanceof z.ZodString && schema.maxLength) || usualLength
  const sample = textOf(unit, 20_000)
  const most = Math.floor((bytesMax[place] * sample.length) / bytesOf(place, sample))
  return [own, 4 * own, most].filter((length) => length <= most)
}

function isText({ schema }: RequestField): boolean {
  return ['string', 'record', 'unknown'].includes(schema._zod.def.type)
}

export function requestWith(asked: Call, { place, path, schema }: RequestField, text: string): Call {
  if (place === 'query') {
    return {
      ...asked,
      path: `${asked.path.split('?')[0]}?${path[0]}=${encodeURIComponent(text.toWellFormed())}`,
    }
  }
  const value = schema._zod.def.type === 'record' ? { [text.slice(0, usualLength)]: text } : text
  // Each message is a new one, which no other has the file of, and is HTML, which is cleaned before it is stored.
  const message = { clientMessageId: undefined, attachments: undefined, contentType: 'html' }
  const base = {
    ...(asked.body as object | undefined),
    ...(path[0] === 'content' && message),
    ...(path[0] === 'message' && { message: { content: 'Hello', ...message } }),
  }
  return { ...asked, body: undefined, rawBody: JSON.stringify(withField(base, path, value)) }
}

/** Every operation with a text field, with these fields. */
export const operationsWithTexts = operations
  .filter((operation) => !('isStream' in operation))
  .map((operation) => ({ operation, fields: fieldsOf(operation).filter(isText) }))
  .filter(({ fields }) => fields.length > 0)

/** Returns whether an operation ends sessions or removes the resource that it names. */
export function isRemoving({ id, method }: Pick<AnyOperation, 'id' | 'method'>): boolean {
  return id.startsWith('auth.') || method === 'DELETE'
}
