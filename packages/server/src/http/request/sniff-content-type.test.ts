import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { headBytesMax, sniffContentType } from './sniff-content-type.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const text = (content: string) => Buffer.from(content)

const type = (bytes: Uint8Array, declared = 'application/octet-stream') =>
  sniffContentType(bytes.subarray(0, headBytesMax), { declared, isWhole: bytes.length <= headBytesMax })

test.each([
  ['a picture that is called a page', png, 'text/html', 'image/png'],
  ['a PDF', text('%PDF-1.7\n%âãÏÓ\n'), 'image/png', 'application/pdf'],
  ['a gzip', gzipSync('x'), 'text/plain', 'application/gzip'],
  [
    'a picture with a script behind it',
    Buffer.concat([png, text('<script>alert(1)</script>')]),
    'text/html',
    'image/png',
  ],
])('the bytes of %s decide its type', async (_, bytes, declared, expected) => {
  expect(await type(bytes, declared)).toBe(expected)
})

test.each([
  ['HTML', '<!doctype html><script>alert(1)</script>', 'text/html'],
  ['HTML that is called a picture', '<html><body onload=alert(1)>', 'image/png'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
  [
    'SVG with a declaration',
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    'image/svg+xml',
  ],
  ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', 'application/xhtml+xml'],
  ['a script', 'alert(1)', 'text/javascript'],
  ['a style sheet', 'body { background: url(x) }', 'text/css'],
  ['a manifest', 'CACHE MANIFEST\n/', 'text/cache-manifest'],
  ['a shell script', '#!/bin/sh\nrm -rf /', 'application/x-sh'],
])('%s is served as plain text', async (_, content, declared) => {
  expect(await type(text(content), declared)).toBe('text/plain')
})

test.each(['text/csv', 'text/markdown', 'application/json', 'text/calendar'])(
  'a text may have the declared type %s',
  async (declared) => {
    expect(await type(text('name,city\nÅsa,Malmö\n'), declared)).toBe(declared)
  },
)

test('the first bytes decide that a file is text, also when they end in the middle of a letter', async () => {
  const long = text('é'.repeat(headBytesMax))
  expect(long.subarray(0, headBytesMax).at(-1)).toBe(0xa9)
  expect(await type(Buffer.concat([text('x'), long]))).toBe('text/plain')
  expect(await type(text('x').subarray(0, 1))).toBe('text/plain')
  expect(await type(Buffer.from([0x78, 0xc3]))).toBe('application/octet-stream')
})

test.each([
  ['a program of Windows', Buffer.concat([text('MZ'), Buffer.alloc(200)])],
  ['a program of Linux', Buffer.concat([text('\u007fELF'), Buffer.alloc(200)])],
  ['Flash', Buffer.concat([text('FWS\n'), Buffer.alloc(200)])],
  ['a text with a NUL', text('a\u0000b')],
  ['noise', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919 + 128) % 256))],
])('%s is served as bytes without a type, whatever its declared type', async (_, bytes) => {
  expect(await type(bytes, 'text/csv')).toBe('application/octet-stream')
})
