import { expect, test } from 'vitest'
import { receivingServerOf } from './authentication-results.ts'
import { readHeaders } from './header-block.ts'

const serverOf = (lines: readonly string[], ownHops = 0) =>
  receivingServerOf(readHeaders(Buffer.from([...lines, 'Subject: Lamp', '', 'Text'].join('\r\n'))), {
    ownHops,
  })

const results = 'Authentication-Results: mx.shop.example; dmarc=pass header.from=a.example'
const received =
  'Received: from a.example (a.example [192.0.2.1])\r\n\tby mx.shop.example (Postfix) with ESMTPS id 1'

test.each([
  ['above', [results, received]],
  ['below', [received, results]],
  ['with a version and a comment', [received, 'Authentication-Results: MX.shop.example (by;x) 1; spf=pass']],
  ['of the domain of the server', [received, 'Authentication-Results: shop.example; spf=pass']],
  ['below a hop inside of the system', ['Received: by 2002:a05:6402:1 with SMTP id 2', received, results]],
])('the server that received the mail wrote the results %s', (_, lines) => {
  expect(serverOf(lines)).toBe(
    lines.some((line) => line.includes('s: shop.')) ? 'shop.example' : 'mx.shop.example',
  )
})

test.each([
  ['nobody wrote results', [received]],
  ['no server received the mail', [results]],
  ['the results are of another server', [received, 'Authentication-Results: mx.a.example; dmarc=pass']],
  ['the sender wrote both headers', ['Received: from mx.a.example by in.shop.example', received, results]],
  ['the name only ends like it', ['Received: from a.example by notmx.shop.example', results]],
  [
    'the server is in a comment alone',
    ['Received: from a.example (by mx.shop.example ) by b.example', results],
  ],
  [
    'the results name no server',
    ['Authentication-Results: spf=pass smtp.mailfrom=a.example; dkim=none', received],
  ],
  ['the name has one part', ['Received: from a by localhost', 'Authentication-Results: localhost; spf=pass']],
])('no server is found where %s', (_, lines) => {
  expect(serverOf(lines)).toBeNull()
})

test('the hop that this service has written is left out', () => {
  const own = 'Received: from mx.shop.example ([192.0.2.2]) by crm.example with ESMTPS id 3'
  expect(serverOf([own, received, results], 1)).toBe('mx.shop.example')
  expect(serverOf([own, received, results])).toBeNull()
})
