import { describe, expect, it } from 'vitest'
import { picturesOf, replacePictures } from '../src/migrate/inline-pictures.ts'
import { isPublicAddress, lookUpPublic, notPublic } from '../src/migrate/public-address.ts'
import { contentOf, fieldsOf, idOf, timeOf } from '../src/migrate/values.ts'

describe('values of a source', () => {
  it('are ids as texts: numbers that keep their digits, and texts', () => {
    const given = [4_417_932_456_321, 'a1', 0, '0', '', 2 ** 60, null, 'x'.repeat(201)]
    expect(given.map(idOf)).toEqual(['4417932456321', 'a1', ...Array(6).fill(undefined)])
  })

  it('are times in UTC, of ISO texts and of seconds, and nothing else is one', () => {
    expect(timeOf('2009-07-20T22:55:29Z')).toBe('2009-07-20T22:55:29.000Z')
    expect(timeOf('2009-07-20T22:55:29+02:00')).toBe('2009-07-20T20:55:29.000Z')
    expect(timeOf(1_600_000_000)).toBe('2020-09-13T12:26:40.000Z')
    expect(['yesterday', '', null, Number.NaN, 1e20, '+275760-09-13T00:00:00Z'].map(timeOf)).toEqual(
      Array(6).fill(undefined),
    )
  })

  it('become custom fields by names of their own, bounded, and what did not fit is counted', () => {
    const { customFields, leftOut } = fieldsOf([
      ['Plan', 'gold'],
      ['Plan', 'silver'],
      ['Empty', ''],
      ['__proto__', 1],
      ['Long', 'x'.repeat(40_000)],
    ])
    expect(Object.entries(customFields)).toEqual([
      ['Plan', 'gold'],
      ['Plan 2', 'silver'],
      ['__proto__ (field)', 1],
    ])
    expect(leftOut).toBe(1)
    const many = fieldsOf(Array.from({ length: 250 }, (_, index) => [`Field ${index}`, index] as const))
    expect([Object.keys(many.customFields).length, many.leftOut]).toEqual([200, 50])
  })

  it('are texts that a line of a package can hold', () => {
    expect(contentOf('Hello')).toEqual({ content: 'Hello', isCut: false })
    const { content, isCut } = contentOf('"\n'.repeat(1_000_000))
    expect(isCut).toBe(true)
    expect(Buffer.byteLength(JSON.stringify(content))).toBeLessThanOrEqual(900_000)
    expect(contentOf('a\ud800').content.isWellFormed()).toBe(true)
  })
})

describe('pictures of an HTML text', () => {
  it('are found by the src of their tags alone', () => {
    const html = `<p title="<img">a</p><IMG alt='x > y' data-src="no" src = "https://a.test/1?x=1&amp;y=2"><img src='2'><img>`
    expect(picturesOf(html).map(({ address }) => address)).toEqual(['https://a.test/1?x=1&y=2', '2'])
  })

  it('are replaced where the function has another address', async () => {
    const html = '<img src="1"> and <img src="2">'
    expect(await replacePictures(html, async (address) => (address === '2' ? 'cid:2' : undefined))).toBe(
      '<img src="1"> and <img src="cid:2">',
    )
  })

  it.each(['<img ', '<img src="', '<img \'"', '<img src=x "', '<'])(
    'take no longer than their text: %s',
    (part) => {
      const begunAt = performance.now()
      picturesOf(part.repeat(400_000))
      expect(performance.now() - begunAt).toBeLessThan(5_000)
    },
  )
})

describe('addresses of the Internet', () => {
  it.each(['8.8.8.8', '2606:4700::1111'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '168.63.129.16',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::ffff:8.8.8.8',
    'fd00:ec2::254',
    'fe80::1',
    '2002:7f00:1::',
    '64:ff9b::7f00:1',
    '2001:db8::1',
    'no address',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it('are checked where a name leads', async () => {
    const code = await new Promise((resolve) =>
      lookUpPublic('localhost', {}, (error) => resolve(error && 'code' in error ? error.code : 'reached')),
    )
    expect(code).toBe(notPublic)
  })
})
