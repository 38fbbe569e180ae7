import { describe, expect, it } from 'vitest'
import { verifiedSender } from './verified-sender.ts'

const verify = (authenticationResults: string | null, from = ['ada@example.com']) =>
  verifiedSender({
    from: from.map((address) => ({ address })),
    authenticationResults,
    authservIds: ['mx.acme.test'],
  })

const verdicts: [results: string | null, verdict: boolean | null][] = [
  ['mx.acme.test; dmarc=pass header.from=example.com', true],
  ['MX.acme.test 1; dmarc=pass (p=none) header.from=Example.com', true],
  ['mx.acme.test; dkim=pass header.d=example.com', true],
  ['mx.acme.test; dkim=pass header.i=@example.com', true],
  ['mx.acme.test; spf=pass smtp.mailfrom=bounce@example.com', true],
  ['mx.acme.test; spf=fail smtp.mailfrom=x@other.test; dkim=pass header.d=example.com', true],
  ['mx.acme.test; dmarc=fail header.from=example.com; spf=pass smtp.mailfrom=x@example.com', false],
  ['mx.acme.test; dkim=fail header.d=example.com', false],
  ['mx.acme.test; spf=fail smtp.mailfrom=x@example.com', false],
  ['mx.acme.test; dkim=pass header.d=other.test', null],
  ['mx.acme.test; dkim=fail header.d=other.test', null],
  ['mx.acme.test; dkim=pass header.d=com', null],
  ['mx.acme.test; dkim=pass header.d=notexample.com', null],
  ['mx.acme.test; dmarc=pass header.from=other.test', null],
  ['mx.acme.test; spf=none', null],
  ['evil.test; dmarc=pass header.from=example.com', null],
  ['evil.test mx.acme.test; dmarc=pass header.from=example.com', null],
  ['(mx.acme.test) evil.test; dmarc=pass header.from=example.com', null],
  ['', null],
  [null, null],
]

describe('the verification of a sender', () => {
  for (const [results, verdict] of verdicts) {
    it(`is ${verdict} for ${results === null ? 'no results' : JSON.stringify(results)}`, () => {
      expect(verify(results)).toBe(verdict)
    })
  }

  it('is not deceived by results that the sender wrote into a quoted address or a comment', () => {
    const forged = [
      'mx.acme.test; spf=pass smtp.mailfrom="x; dkim=pass header.d=example.com; "@evil.test',
      'mx.acme.test; spf=pass smtp.mailfrom="x dmarc=pass header.from=example.com"@evil.test',
      'mx.acme.test; spf=none (sender; dmarc=pass header.from=example.com)',
      'mx.acme.test; spf=none (sender \\); dmarc=pass header.from=example.com)',
      'mx.acme.test; spf=pass smtp.mailfrom="\\"; dkim=pass header.d=example.com;"@evil.test',
      'mx.acme.test; spf=pass smtp.mailfrom=x@evil.test header.d=example.com',
    ]
    expect(forged.map((results) => verify(results))).toEqual(forged.map(() => null))
  })

  it('says nothing about a mail with two From addresses', () => {
    const results = 'mx.acme.test; dmarc=pass header.from=example.com'
    expect(verify(results, ['ada@example.com', 'bob@example.com'])).toBeNull()
  })

  it('takes a parent of the From domain, and never a child', () => {
    const parent = 'mx.acme.test; dkim=pass header.d=example.com'
    const child = 'mx.acme.test; dkim=pass header.d=mail.example.com'
    expect([verify(parent, ['ada@mail.example.com']), verify(child)]).toEqual([true, null])
  })
})
