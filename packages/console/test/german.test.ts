import { expect, test } from 'vitest'
import { de } from '../src/strings/de.ts'
import { deMore } from '../src/strings/de-more.ts'
import { en } from '../src/strings/en.ts'
import { more } from '../src/strings/more.ts'

/** Words of both languages, and examples of what is typed. */
const sameInBoth = new Set([
  'Status',
  ...[
    'Name',
    'Format',
    'Link',
    'Code',
    'Team',
    'Position',
    'System',
    'Chat',
    'WhatsApp',
    'Instagram',
    'Twitter',
    'Facebook',
    'SMS',
    'Google',
    'Microsoft',
    'Offline',
    'Webhooks',
    'Zoho CRM',
    'HubSpot',
    'English',
    'Deutsch',
    'Status',
    'Person',
    'Label',
    'Server',
    'Port',
    'STARTTLS',
  ],
  'crm-server tenants create',
  'https://www.example.com',
  'Authorization: Bearer …',
])

/** Returns each text with its path; a function with what it makes of the same values. */
function* textsOf(texts: object, path = ''): Generator<[string, string]> {
  for (const [name, text] of Object.entries(texts)) {
    const here = `${path}.${name}`
    if (typeof text === 'string') yield [here, text]
    else if (typeof text === 'function') yield [`${here}()`, String(text('3', '7', '5'))]
    else yield* textsOf(text, here)
  }
}

test('every text of the console has a German one', () => {
  const [english, german] = [
    { en, more },
    { en: de, more: deMore },
  ].map((all) => new Map(textsOf(all)))
  expect([...(german?.keys() ?? [])].toSorted()).toEqual([...(english?.keys() ?? [])].toSorted())
  const isFixed = (text: string) =>
    sameInBoth.has(text) || !/[a-z]{2}/i.test(text.replace(/\b(min|crm .*)$/, ''))
  const left = [...(english ?? [])].filter(([path, text]) => german?.get(path) === text && !isFixed(text))
  expect(left).toEqual([])
})

/** Commands, examples and keys that a text quotes. */
const quotedExamples = /^(crm .+|Name: (value|Wert)|there|zusammen|l)$/

test.each([
  ['English', { en, more }, /“([^”]+)”/g],
  ['German', { en: de, more: deMore }, /„([^“]+)“/g],
])('each part of the console that a text quotes in %s has that name', (_name, all, quotes) => {
  const texts = [...textsOf(all)].map(([, text]) => text)
  const names = new Set(texts)
  const quoted = texts.flatMap((text) => [...text.matchAll(quotes)].map(([, name = '']) => name))
  const unknown = quoted.filter(
    (name) => !names.has(name) && !quotedExamples.test(name) && !/[357]/.test(name),
  )
  expect(unknown).toEqual([])
})

test('a conversation has one name in German', () => {
  const texts = [...textsOf({ de, deMore })]
  expect(texts.filter(([, text]) => /konversation|unterhaltung/i.test(text))).toEqual([])
})
