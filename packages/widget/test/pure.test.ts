import { describe, expect, test } from 'vitest'
import { linkify } from '../src/browser/frame/linkify.ts'
import { isPicture } from '../src/browser/frame/pictures.ts'
import { EventParser } from '../src/browser/frame/sse.ts'
import { subjectOf } from '../src/browser/frame/token.ts'
import { readableOn } from '../src/browser/shared/colors.ts'
import { targetOf } from '../src/browser/shared/protocol.ts'

describe('links in a message', () => {
  const hrefs = (text: string) => linkify(text).flatMap(({ href }) => href ?? [])

  test('are made of http, https and mail addresses, without the end of the sentence', () => {
    expect(hrefs('See https://a.example/x?y=1#z, or (http://b.example). Mail ada@example.com!')).toEqual([
      'https://a.example/x?y=1#z',
      'http://b.example',
      'mailto:ada@example.com',
    ])
  })

  test('are never made of an address that runs a script or opens another program', () => {
    const hostile = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)//https:',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'intent://scan/#Intent;end',
      'https://',
    ]
    for (const text of hostile) expect(hrefs(text), text).toEqual([])
  })

  test('to write a mail keep the address alone', () => {
    expect(hrefs('MAILTO:ada@b.example?attach=x mailto:eve@b.example#a?cc=c@d.example')).toEqual([
      'MAILTO:ada@b.example',
      'mailto:eve@b.example',
    ])
  })

  test('leave every character of the text as it was', () => {
    for (const text of [
      '',
      'plain',
      '<b>https://a.example</b>',
      'a@b.c\nhttps://x.example/\n\n',
      '🙂 https://x.example🙂',
    ])
      expect(
        linkify(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
  })
})

describe('server-sent events', () => {
  const stream = [
    'retry: 1000\nid: p1\n\n',
    'id: p2\nevent: message.sent\ndata: {"id":"evt_1"}\n\n',
    ': still here\n\n',
    'id: p3\r\ndata: one\r\ndata: two\r\n\r\n',
  ].join('')
  const read = (pieces: readonly string[]) => {
    const parser = new EventParser()
    return pieces.flatMap((piece) => parser.push(piece)).filter(({ data }) => data !== '')
  }
  const expected = [
    { id: 'p2', data: '{"id":"evt_1"}' },
    { id: 'p3', data: 'one\ntwo' },
  ]

  test('are the same wherever the network cuts the stream', () => {
    expect(read([stream])).toEqual(expected)
    for (let cut = 1; cut < stream.length; cut++)
      expect(read([stream.slice(0, cut), stream.slice(cut)]), `cut at ${cut}`).toEqual(expected)
    expect(read([...stream])).toEqual(expected)
  })

  test('give the position before the first event', () => {
    expect(new EventParser().push('retry: 1000\nid: p1\n\n')).toEqual([{ id: 'p1', data: '' }])
  })

  test('that are incomplete are no events', () => {
    expect(read(['id: p1\ndata: {"half":'])).toEqual([])
  })
})

test('a text on any colour of an inbox has a contrast of at least 4.5', () => {
  const channel = (share: number) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
  for (let step = 0; step < 512; step++) {
    const rgb = [step & 7, (step >> 3) & 7, step >> 6].map((part) => Math.round((part * 255) / 7))
    const color = `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`
    const [red = 0, green = 0, blue = 0] = rgb.map((part) => channel(part / 255))
    const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    const contrast = readableOn(color) === '#fff' ? 1.05 / (luminance + 0.05) : (luminance + 0.05) / 0.05
    expect(contrast, color).toBeGreaterThan(4.5)
  }
})

test('the subject of a token is read in every script, and a token without one has none', () => {
  const token = (claims: unknown) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`
  expect(subjectOf(token({ sub: 'Åda 李 🙂>>>???' }))).toBe('Åda 李 🙂>>>???')
  for (const text of ['', 'x', 'x.y', 'x.%%.y', token({}), token({ sub: 1 }), token(null)])
    expect(subjectOf(text), text).toBeUndefined()
})

test('a message to the page names its origin; only a page without one is reached by any', () => {
  expect(targetOf('https://shop.example')).toBe('https://shop.example')
  expect(targetOf('null')).toBe('*')
})

test('only png, jpeg, gif and webp of at most 10 MB are shown as pictures', () => {
  const shown = (contentType: string, size = 1) => isPicture({ contentType, size })
  for (const type of ['png', 'jpeg', 'gif', 'webp']) {
    expect(shown(`image/${type}`, 10 << 20), type).toBe(true)
    expect(shown(`image/${type}`, (10 << 20) + 1), type).toBe(false)
  }
  for (const type of ['image/svg+xml', 'image/bmp', 'image/tiff', 'text/html', 'application/pdf', ''])
    expect(shown(type), type).toBe(false)
})
