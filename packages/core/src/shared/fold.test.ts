import { describe, expect, it } from 'vitest'
import { asciiDomain, normalizeEmail } from './fold.ts'
import { isEmail, optionalEmail, requiredEmail } from './text.ts'

describe('the normal form of an e-mail', () => {
  it.each([
    [
      'info@bücher.example',
      'INFO@BÜCHER.example',
      'info@xn--bcher-kva.example',
      'info@XN--BCHER-KVA.EXAMPLE',
    ],
    ['a@bu\u0308cher.example', 'a@bücher.example', 'a@bücher。example', 'a@ｂücher.example'],
    ['a@faß.de', 'a@FAß.de', 'a@xn--fa-hia.de'],
    ['ada@example.com', 'a\u200bda@example.com', '\u202aada\u202c@example.com', 'ada@exam\u00adple.com'],
    ['zoe\u0308@example.com', 'ZOË@example.com'],
  ])('is one for every spelling of the mailbox %s', (...spellings) => {
    expect(new Set(spellings.map(normalizeEmail)).size).toBe(1)
    for (const spelling of spellings)
      expect(normalizeEmail(normalizeEmail(spelling))).toBe(normalizeEmail(spelling))
  })

  it.each([
    ['weiß@example.com', 'weiss@example.com'],
    ['a@faß.de', 'a@fass.de'],
    ['a@１.２.３.４', 'a@1.2.3.4'],
    ['a@b\u00fccher.example', 'a@bucher.example'],
  ])('distinguishes %s from %s', (one, other) => {
    expect(normalizeEmail(one)).not.toBe(normalizeEmail(other))
  })

  it('leaves a domain in ASCII as it is, also one that a browser takes for an address of the network', () => {
    for (const domain of ['1.2', '0x7f.1', 'a_b.example', 'xn--a', '127.0.0.1', 'a..b'])
      expect(normalizeEmail(`a@${domain}`)).toBe(`a@${domain}`)
    expect(normalizeEmail('no address')).toBe('no address')
  })

  it.each([
    'ü%2fx.de',
    'ü/x.de',
    'ü:80',
    'ü@x.de',
    'a\u200db.de',
    '１.２.３.４',
    'ü\n.de',
    `${'ü'.repeat(255)}.de`,
  ])('has no domain in ASCII for %j', (domain) => expect(asciiDomain(domain)).toBeNull())
})

describe('an e-mail of a request', () => {
  const issuesOf = (schema: typeof requiredEmail | typeof optionalEmail, text: string) =>
    schema.safeParse(text).error?.issues.map(({ message }) => message)

  it.each(['a\u200bda@example.com', 'ada\u202e@example.com', '\ufeffa\u00adda@example.com'])(
    'with marks that nobody sees is refused by name: %j',
    (text) => {
      for (const schema of [requiredEmail, optionalEmail])
        expect(issuesOf(schema, text)).toEqual(['must not hold invisible characters before the @'])
    },
  )

  it('has a domain that UTS 46 allows', () => {
    for (const domain of ['उदाहरण.परीक्षा', 'bücher.example', 'xn--bcher-kva.example', 'faß.de'])
      expect(isEmail(`a@${domain}`), domain).toBe(true)
    for (const domain of ['a\u200db.de', '１.２.３.４', `${'ü'.repeat(63)}.de`, 'ü%2fx.de', 'bücher'])
      expect(issuesOf(requiredEmail, `a@${domain}`), domain).toEqual(['must be an e-mail address'])
  })
})
