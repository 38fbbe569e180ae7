import { expect, test } from 'vitest'
import type { DnsRecords } from '../ports/dns-records.ts'
import { dnsWithin } from './dns-within.ts'
import { judgeSpf, type SpfNeed } from './spf.ts'
import { withSpfTerm } from './spf-terms.ts'

/** Records by `TYPE name`; null: the name servers do not respond for this name. */
function dnsOf(records: Record<string, string[] | null>): DnsRecords {
  return {
    find: async (type, name) =>
      records[`${type} ${name}`] ?? (records[`${type} ${name}`] === null ? null : []),
  }
}
const world = dnsOf({
  'A mail.shop.test': ['192.0.2.7'],
  'AAAA mail.shop.test': ['2001:db8::7'],
  'MX shop.test': ['10 mx.shop.test'],
  'A mx.shop.test': ['192.0.2.25'],
  'TXT provider.test': ['v=spf1 ip4:198.51.100.0/24 ip6:2001:db8:1::/48 -all'],
  'TXT nested.test': ['other', 'v=spf1 include:provider.test ?all'],
  'TXT moved.test': ['v=spf1 redirect=provider.test'],
  'TXT loop.test': ['v=spf1 include:loop.test -all'],
  'TXT silent.test': null,
  'A six.test': [],
  'MX null.test': ['0 .'],
  'MX eleven.test': Array.from({ length: 11 }, (_, index) => `${index} mx.shop.test`),
  'MX gone.test': ['10 gone1.test', '20 gone2.test', '30 gone3.test'],
  'TXT macro.test': ['v=spf1 exists:%{i}.list.test -all'],
})
const judge = (record: string | string[], need: string | SpfNeed) =>
  judgeSpf(world, {
    domain: 'shop.test',
    published: [record].flat(),
    need: typeof need === 'string' ? { addresses: [need] } : need,
  })

test.each([
  ['v=spf1 ip4:192.0.2.7 -all', '192.0.2.7'],
  ['v=spf1 ip4:192.0.2.0/24 ~all', '192.0.2.7'],
  ['v=spf1 IP6:2001:DB8::/32 -all', '2001:db8::7'],
  ['v=spf1 a:mail.shop.test -all', '192.0.2.7'],
  ['v=spf1 a:mail.shop.test -all', '2001:db8::7'],
  ['v=spf1 a:mail.shop.test/24//64 -all', '192.0.2.200'],
  ['v=spf1 mx -all', '192.0.2.25'],
  ['v=spf1 -ip4:192.0.2.8 include:nested.test -all', '198.51.100.9'],
  ['v=spf1 redirect=moved.test', '198.51.100.9'],
  ['v=spf1 exp=explain.shop.test +all', '203.0.113.1'],
  ['v=spf1 ip4:192.0.2.7 all include:silent.test redirect=silent.test', '203.0.113.1'],
  ['v=spf1 a:gone1.test a:gone2.test ip4:192.0.2.7 a:gone3.test -all', '192.0.2.7'],
  ['v=spf1 mx:null.test ip4:192.0.2.7 -all', '192.0.2.7'],
  ['v=spf1 exists:%{i}.list.test ip4:192.0.2.7 -all', '192.0.2.7'],
  ['v=spf1 include:macro.test ip4:192.0.2.7 -all', '192.0.2.7'],
])('%s allows %s', async (record, address) => {
  expect(await judge(record, address)).toEqual({ ok: true, reason: null })
})

test.each([
  ['v=spf1 mx ~all', '192.0.2.7', /does not allow 192\.0\.2\.7/],
  ['v=spf1 -ip4:192.0.2.7 +all', '192.0.2.7', /does not allow/],
  ['v=spf1 all redirect=provider.test', '', /does not allow/],
  ['v=spf1 ~all redirect=provider.test', '198.51.100.9', /does not allow/],
  ['v=spf1 ?include:provider.test', '198.51.100.9', /does not allow/],
  ['v=spf1 include:nowhere.test -all', '192.0.2.7', /nowhere\.test, which has no record/],
  ['v=spf1 include:loop.test -all', '192.0.2.7', /more than 10 look-ups/],
  ['v=spf1 ipv4:192.0.2.7 -all', '192.0.2.7', /a term that receivers do not know: ipv4/],
  ['v=spf1 -all ip4:192.0.2.7', '192.0.2.7', /does not allow/],
  ['v=spf1 -all include:provider.test', '198.51.100.9', /does not allow/],
  ['v=spf1 ip4:192.0.2.7 -all ipv4:192.0.2.8', '192.0.2.7', /a term that receivers do not know: ipv4/],
  [`v=spf1${' ptr'.repeat(11)} +all`, '192.0.2.7', /more than 10 look-ups/],
  ['v=spf1 a:gone1.test a:gone2.test a:six.test ip4:192.0.2.7', '192.0.2.7', /2 hosts that do not exist/],
  ['v=spf1 mx:gone.test ip4:192.0.2.7', '192.0.2.7', /2 hosts that do not exist/],
  ['v=spf1 mx:eleven.test', '192.0.2.25', /eleven\.test has more than 10 MX records/],
  ['v=spf1 redirect=provider.test redirect=moved.test', '198.51.100.9', /redirect= more than once/],
  [`v=spf1${' mx'.repeat(101)}`, '192.0.2.7', /more than 100 terms/],
  ['v=spf10 ip4:192.0.2.7 -all', '192.0.2.7', /No record of SPF/],
])('%s does not allow %s', async (record, address, reason) => {
  const need = address === '' ? { addresses: ['198.51.100.9'] } : address
  const result = await judge(record.replace('v=spf1 all', 'v=spf1 -all'), need)
  expect(result).toEqual({ ok: false, reason: expect.stringMatching(reason) })
})

test('two records are as bad as none', async () => {
  const result = await judge(['v=spf1 +all', 'v=spf1 mx'], '192.0.2.7')
  expect(result).toEqual({ ok: false, reason: expect.stringContaining('More than one') })
})

test.each([
  ['v=spf1 include:silent.test -all', /did not respond/],
  ['v=spf1 exists:%{i}.list.test -all', /macros/],
  ['v=spf1 -exists:%{i}.list.test +all', /macros/],
  ['v=spf1 redirect=%{d}.list.test', /macros/],
])('of %s nothing can be said', async (record, reason) => {
  expect(await judge(record, '192.0.2.7')).toEqual({ ok: null, reason: expect.stringMatching(reason) })
})

test.each([
  'a:localhost',
  'a:',
  'a:1.2.3.4',
  'a:shop.test/33',
  'a:shop.test/024',
  'mx//129',
  'mx/',
  'all:shop.test',
  'all/24',
  'include',
  'include:provider.test/24',
  'exists:',
  'exists:100%.shop.test',
  'ptr:',
  'ip4',
  'ip4:192.0.2',
  'ip4:192.0.2.7/33',
  'ip4:2001:db8::7',
  'ip6:192.0.2.7',
  'ip6:2001:db8::7/129',
  'redirect=',
  'exp=localhost',
  'note=100%',
  '++a',
  'a:bücher.test',
])('a record with %s is ignored by receivers, also where another term allows the server', async (term) => {
  const result = await judge(`v=spf1 ip4:192.0.2.7 ${term} -all`, '192.0.2.7')
  expect(result).toEqual({ ok: false, reason: expect.stringContaining(`do not know: ${term}`) })
})

test.each([
  [{ addresses: [] }, /has no address/],
  [{ unknown: 'Nobody knows the server.' }, /^Nobody knows the server\.$/],
])('without a server nothing can be said, unless the record allows none: %j', async (need, reason) => {
  const unsure = { ok: null, reason: expect.stringMatching(reason) }
  expect(await judge('v=spf1 mx -all', need)).toEqual(unsure)
  expect(await judge('v=spf1 redirect=moved.test', need)).toEqual(unsure)
  const none = { ok: false, reason: 'The record allows no server at all.' }
  expect(await judge('v=spf1 -all', need)).toEqual(none)
  expect(await judge('v=spf1 ~mx -all mx', need)).toEqual(none)
  expect((await judge('v=spf1 mx foo', need)).reason).toMatch(/do not know: foo/)
})

test('a look-up that does not end is given up while it runs', async () => {
  const dns = dnsWithin({ find: () => new Promise(() => undefined) }, 1)
  const published = ['v=spf1 mx -all']
  const result = await judgeSpf(dns, { domain: 'shop.test', published, need: { addresses: ['192.0.2.7'] } })
  expect(result).toEqual({ ok: null, reason: 'The name servers did not respond in time.' })
  expect(await dns.find('TXT', 'shop.test')).toBeNull()
})

test('the servers of a provider are allowed by the provider’s record, also inside of another one', async () => {
  const need = { include: 'provider.test' }
  expect((await judge('v=spf1 include:provider.test ~all', need)).ok).toBe(true)
  expect((await judge('v=spf1 mx include:nested.test ~all', need)).ok).toBe(true)
  expect((await judge('v=spf1 redirect=moved.test', need)).ok).toBe(true)
  const missing = { ok: false, reason: expect.stringContaining('does not include provider.test') }
  expect(await judge('v=spf1 mx -include:provider.test ~all', need)).toEqual(missing)
  expect(await judge('v=spf1 mx -all include:provider.test', need)).toEqual(missing)
  expect(await judge('v=spf1 -include:nested.test +all', need)).toEqual(missing)
  const many = `v=spf1${' mx'.repeat(10)} include:provider.test -all`
  expect(await judge(many, need)).toEqual({ ok: false, reason: expect.stringContaining('10 look-ups') })
})

test.each([
  ['v=spf1 mx -all', 'v=spf1 mx include:provider.test -all'],
  ['v=spf1  a redirect=other.test', 'v=spf1 a include:provider.test redirect=other.test'],
  ['v=spf1 a', 'v=spf1 a include:provider.test'],
  [
    'v=spf1 ?all mx -all redirect=other.test',
    'v=spf1 include:provider.test ?all mx -all redirect=other.test',
  ],
])('a term is added to %s before the one that decides everything', (record, wanted) => {
  expect(withSpfTerm(record, 'include:provider.test')).toBe(wanted)
})
