import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { widgetTextKeys } from '../../core/src/inboxes/widget-texts.ts'
import { directionOf, languageOf } from '../src/browser/shared/languages.ts'
import { bubbleEnglish, chatEnglish, fill, unreadText } from '../src/browser/shared/strings.ts'
import { buildWidget } from '../src/build/build-widget.ts'

const english: Record<string, string> = { ...bubbleEnglish, ...chatEnglish }
const folder = new URL('../src/languages/', import.meta.url)
const codes = readdirSync(folder).map((file) => file.replace('.json', ''))
const read = (code: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${code}.json`, folder), 'utf8'))
const bracesOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

test('there are at least 20 languages beside English, among them those that most visitors read', () => {
  expect(codes.length).toBeGreaterThanOrEqual(20)
  expect(codes).toEqual(expect.arrayContaining(['ar', 'de', 'es', 'fa', 'fr', 'he', 'ja', 'pt', 'zh']))
})

test('an inbox can replace every text, and the guide lists its key', () => {
  expect([...widgetTextKeys].sort()).toEqual(Object.keys(english).sort())
  const guide = readFileSync(new URL('../../../docs/widget.md', import.meta.url), 'utf8')
  for (const key of Object.keys(english)) expect(guide).toContain(`\`${key}\``)
})

describe.each(codes)('the texts in %s', (code) => {
  test('have every key and no other', () => {
    expect(Object.keys(read(code)).sort()).toEqual(Object.keys(english).sort())
  })

  test('have the same values in braces as the English ones, and none is empty', () => {
    for (const [key, text] of Object.entries(read(code))) {
      expect(text.trim(), key).not.toBe('')
      expect(bracesOf(text), key).toEqual(bracesOf(english[key] ?? ''))
    }
  })

  test('are not left in English', () => {
    const same = Object.entries(read(code)).filter(
      ([key, text]) => text === english[key] && text.split(' ').length > 2,
    )
    expect(same).toEqual([])
  })
})

test('no language is in a file that every page loads', async () => {
  const { stub, frame, hashed, loaderName, frameScriptName } = await buildWidget()
  const first = [stub, frame, hashed[loaderName], hashed[frameScriptName]].join('\n')
  for (const code of codes) {
    for (const [key, text] of Object.entries(read(code)))
      if (text.length > 12 && text !== english[key]) expect(first, `${code} ${key}`).not.toContain(text)
    const [file] = Object.entries(hashed).filter(([name]) => name.endsWith(`.${code}.json`))
    expect(JSON.parse(file?.[1] ?? '')).toEqual(read(code))
    expect(gzipSync(file?.[1] ?? '').length).toBeLessThan(2_048)
  }
})

test('the language is that of the first tag with texts, else English', () => {
  const among = ['en', 'de', 'pt', 'nb']
  expect(languageOf(['de-AT', 'pt'], among)).toEqual({ code: 'de', tag: 'de-AT' })
  expect(languageOf(['xx', 'pt_BR'], among)).toEqual({ code: 'pt', tag: 'pt_BR' })
  expect(languageOf(['EN-gb', 'de'], among)).toEqual({ code: 'en', tag: 'EN-gb' })
  for (const tag of ['', 'xx', 'constructor', 'length'])
    expect(languageOf([tag], among), tag).toEqual({ code: 'en', tag: 'en' })
})

test('texts in Arabic, Hebrew and Persian run from right to left on every page', () => {
  for (const code of ['ar', 'he', 'fa']) expect(directionOf(code, 'ltr')).toBe('rtl')
  expect(directionOf('de', '')).toBe('')
  expect(directionOf('en', 'rtl')).toBe('rtl')
})

test('values are put into braces as they are, and braces without a value stay', () => {
  expect(fill('{a} of {b}', { a: '$&', b: '{a}' })).toBe('$& of {a}')
  expect(fill('{constructor} {x}', {})).toBe('{constructor} {x}')
  expect(unreadText(bubbleEnglish, 1)).toBe('1 unread message')
  expect(unreadText(bubbleEnglish, 2)).toBe('2 unread messages')
})
