import { describe, expect, it } from 'vitest'
import { foldCase, foldLabel, normalizeEmail } from './fold.ts'
import { labelList } from './labels.ts'
import {
  isEmail,
  moment,
  optionalEmail,
  optionalLines,
  optionalText,
  requiredEmail,
  requiredLines,
  requiredText,
} from './text.ts'

function isAccepted(schema: { safeParse(value: unknown): { success: boolean } }, value: unknown): boolean {
  return schema.safeParse(value).success
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('a one-line text', () => {
  it('is trimmed and normalised to NFC', () => {
    expect(requiredText(10).parse('  Zoe\u0308 ')).toBe('Zo\u00eb')
  })

  it('is refused when blank, too long after trimming, or with control characters inside', () => {
    for (const text of [
      '',
      '   ',
      'x'.repeat(11),
      'a\nb',
      'a\tb',
      'a\u0000b',
      'a\u0085b',
      'a\ud800b',
      7,
      null,
    ]) {
      expect(isAccepted(requiredText(10), text), JSON.stringify(text)).toBe(false)
    }
    expect(isAccepted(requiredText(10), `  ${'x'.repeat(10)}  `)).toBe(true)
  })

  it('that is optional distinguishes "no value" from "absent"', () => {
    expect(optionalText(10).parse(undefined)).toBeUndefined()
    expect(optionalText(10).parse(null)).toBeNull()
    expect(optionalText(10).parse('   ')).toBeNull()
    expect(optionalText(10).parse(' a ')).toBe('a')
  })
})

describe('a text that no limit could take', () => {
  const marks = `a${'\u0301\u0323'.repeat(60_000)}`
  const schemas = {
    requiredText: requiredText(100),
    optionalText: optionalText(100),
    requiredLines: requiredLines(100),
    optionalLines: optionalLines(100),
    requiredEmail,
    optionalEmail,
    labelList,
  }

  it.each(Object.entries(schemas))(
    'is refused by %s before it costs the square of its length',
    (_, schema) => {
      const before = process.cpuUsage()
      expect(isAccepted(schema, schema === labelList ? [marks] : marks)).toBe(false)
      expect(cpuMsSince(before)).toBeLessThan(1000)
    },
  )

  it('is still too long when composing it shortens it', () => {
    const decomposed = '\u03b1\u0313\u0300\u0345'
    expect(requiredText(10).parse(decomposed.repeat(10))).toBe('\u1f82'.repeat(10))
    expect(isAccepted(requiredText(10), decomposed.repeat(11))).toBe(false)
  })
})

describe('a text of several lines', () => {
  it('keeps inner blanks, tabs and newlines, with LF alone', () => {
    expect(requiredLines(50).parse('  a\r\n\tb\rc  \n\n')).toBe('  a\n\tb\nc')
  })

  it('is refused when blank or with other control characters', () => {
    for (const text of ['', ' \n ', 'a\u0007b', 'a\u009bb', 'a\udfffb']) {
      expect(isAccepted(requiredLines(50), text), JSON.stringify(text)).toBe(false)
    }
    expect(optionalLines(50).parse(' \r\n ')).toBeNull()
  })

  it('counts its length without trailing blanks', () => {
    expect(isAccepted(requiredLines(3), 'abc   \n')).toBe(true)
    expect(isAccepted(requiredLines(3), 'abcd')).toBe(false)
  })
})

describe('an e-mail', () => {
  it.each(['ada@example.com', 'a+b@x.example.co.uk', "o'brien@example.com", 'zoë@exämple.de', 'a@1.de'])(
    'may be %s',
    (text) => expect(isEmail(text)).toBe(true),
  )

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@@example.com',
    'a b@example.com',
    'ada@exa mple.com',
    'ada@-example.com',
    'ada@example..com',
    'ada@example.com,b@example.com',
    'ada <ada@example.com>',
    'ada@example.com\n',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b.'.repeat(130)}com`,
  ])('may not be %j', (text) => expect(isEmail(text)).toBe(false))

  it('is stored as sent, and compared without case', () => {
    expect(requiredEmail.parse(' Ada@Example.COM ')).toBe('Ada@Example.COM')
    expect(normalizeEmail('Ada@Example.COM')).toBe('ada@example.com')
    expect(optionalEmail.parse('  ')).toBeNull()
  })
})

it('compares searched text without case and width', () => {
  expect(foldCase('Ａda ÉCOLE')).toBe('ada école')
})

it('folds a text of any length in a time that grows with its length', () => {
  const marks = 'a\u0301\u0323'.padEnd(200_000, '\u0301\u0323')
  for (const fold of [foldCase, foldLabel, normalizeEmail]) {
    const before = process.cpuUsage()
    fold(marks)
    expect(cpuMsSince(before)).toBeLessThan(1000)
  }
})

it('converts a time with an offset to UTC with milliseconds', () => {
  expect(moment.parse('2026-11-21T10:30:00+01:00')).toBe('2026-11-21T09:30:00.000Z')
  for (const text of ['2026-11-21', '2026-11-21T10:30:00', '2026-02-30T10:30:00Z', 'now', '']) {
    expect(isAccepted(moment, text), text).toBe(false)
  }
})
