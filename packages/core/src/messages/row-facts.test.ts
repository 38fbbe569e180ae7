import { expect, it } from 'vitest'
import { foldedFacts, previewOf } from './row-facts.ts'

const text = (content: string, contentType: 'text' | 'markdown' | 'html' = 'text') =>
  previewOf({ content, contentType, email: null })

it('previews one line of plain text, without marks, tags and quotations', () => {
  expect(text('  One\n\n two\t')).toBe('One two')
  expect(text('\n \n')).toBeNull()
  expect(text('# Hi\n- **one** and _two_, snake_case and 2*3*4', 'markdown')).toBe(
    'Hi one and two, snake_case and 2*3*4',
  )
  expect(text('<p>A &lt;b&gt; &amp;amp; c</p><p>next</p>', 'html')).toBe('A <b> &amp; c next')
  const content = 'Thanks!\n> Where is it?\nBye'
  const quoted = [{ from: 8, to: 23, messageId: null }]
  expect(previewOf({ content, contentType: 'text', email: { quoted } })).toBe('Thanks! Bye')
})

it('cuts at 140 code points, and no character as people see it', () => {
  const family = '👨‍👩‍👧'
  expect([...(text('ä'.repeat(200)) ?? '')]).toHaveLength(140)
  const cut = text(`${'a'.repeat(137)}${family}${family}`) ?? ''
  expect(cut).toBe('a'.repeat(137))
  expect(text(family.repeat(60))?.endsWith(family)).toBe(true)
})

it('cuts where a character ends, whatever stands around the cut', () => {
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const signs = ['a', 'b.', 'é', 'e\u0301', '👨‍👩‍👧', '🇩🇪', 'ক্ষি', '각', '\u200d', '😀', 'ก็']
  // Each text has another sign at the cut, after another number of code points.
  for (const [first, sign] of signs.entries()) {
    for (let before = 120; before <= 140; before++) {
      const content = `${signs[(first + before) % signs.length]}${'x'.repeat(before)}${sign.repeat(60)}`
      let whole = ''
      for (const { segment } of graphemes.segment(content)) {
        if ([...whole, ...segment].length > 140) break
        whole += segment
      }
      expect(text(content)).toBe(whole)
    }
  }
})

it('folds the wait of what was written here, without machines, notes and failed replies', () => {
  const by = (type: 'user' | 'customer' | 'system') => ({ type, _id: null, name: null })
  const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`
  const words = { content: 'Hi', contentType: 'text', status: 'sent', type: 'reply' } as const
  const row = { ...words, attachments: [] as never[] }
  const asked = (second: number, email: { automated: boolean } | null = null) => ({
    ...row,
    _id: `m${second}`,
    direction: 'inbound' as const,
    sender: by('customer'),
    createdAt: at(second),
    email,
  })
  const answered = (second: number, status: 'sent' | 'failed' = 'sent') => ({
    ...row,
    _id: `m${second}`,
    direction: 'outbound' as const,
    sender: by('user'),
    createdAt: at(second),
    status,
  })
  const wait = (seq: number, ...oldestFirst: Parameters<typeof foldedFacts>[1][number][]) =>
    foldedFacts({ seq }, oldestFirst.toReversed()).waitingSince
  expect(wait(2, asked(1), asked(2))).toBe(at(1))
  expect(wait(3, asked(1), answered(2), asked(3))).toBe(at(3))
  expect(wait(2, asked(1), answered(2, 'failed'))).toBe(at(1))
  expect(wait(2, answered(1), asked(2, { automated: true }))).toBeNull()
  expect(wait(2, asked(1), { ...answered(2), sender: by('system') })).toBe(at(1))
  // The first one is imported.
  expect(wait(1, asked(1), asked(2))).toBe(at(2))
  expect(foldedFacts({ seq: 0 }, [])).toEqual({
    lastMessageAt: null,
    lastMessageId: null,
    lastMessage: null,
    lastCustomerMessageAt: null,
    waitingSince: null,
  })
})
