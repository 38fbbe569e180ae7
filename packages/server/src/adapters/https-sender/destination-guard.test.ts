import { describe, expect, test } from 'vitest'
import { createDestinationGuard } from './destination-guard.ts'

const guard = createDestinationGuard({})
const ruleOf = (url: string) => guard.checkDestination(url)?.rule

const privateDestinations = [
  // IPv4, plain
  'https://127.0.0.1/',
  'https://127.255.255.254/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://192.0.0.1/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://168.63.129.16/',
  // IPv4, spelled oddly: decimal, octal, hexadecimal, short, mixed
  'https://2130706433/',
  'https://0x7f000001/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0x7f.0.0.1/',
  'https://0x7F.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://0/',
  'https://10.1/',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://0251.0376.0251.0376/',
  'https://00000177.0.0.1/',
  // Full-width digits and dots, percent-encoding, trailing dots
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://%31%32%37.0.0.1/',
  'https://127.0.0.1./',
  'https://169.254.169.254./',
  // IPv6
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://[2002:a9fe:a9fe::]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fd20:ce::254]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[2001::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[100::1]/',
  'https://[4000::1]/',
  'https://[5f00::1]/',
  // Names of this machine
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://localhost../',
  'https://a.localhost/',
  'https://a.b.LocalHost./',
  'https://ⓛocalhost/',
  'HTTPS://127.0.0.1/',
  // Ports of other services
  'https://example.com:22/',
  'https://example.com:25/',
  'https://example.com:80/',
  'https://example.com:0/',
  'https://example.com:1023/',
]

const malformedDestinations = [
  '',
  'example.com',
  '/hook',
  'https:',
  'https://',
  'https:///hook',
  'https:example.com',
  'https:/example.com',
  'https:\\\\example.com',
  'https://example.com\\@127.0.0.1/',
  'https://exa mple.com/',
  'https://exa\tmple.com/',
  'https://example.com/\r\nX: y',
  'https://256.256.256.256/',
  'https://4294967296/',
  'https://1.2.3.4.5/',
  'https://[::1/',
  'https://[fe80::1%25eth0]/',
  'https://./',
  'https://example.com:99999/',
  'http://example.com/',
  'HTTP://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'wss://example.com/',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://@example.com/',
  'https://:@example.com/',
  'https://example.com@127.0.0.1/',
  'https://127.0.0.1@example.com/',
  'https://example.com:443@127.0.0.1:1024/',
]

const publicDestinations = [
  'https://example.com/hook',
  'HTTPS://EXAMPLE.COM/hook',
  'https://example.com:443/',
  'https://example.com:1024/',
  'https://example.com:8443/a?b=c#d',
  'https://example.com./',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://bücher.example/',
  'https://localhost.example.com/',
  'https://127.0.0.1.example.com/',
  'https://example.com/@a',
  'https://example.com/?u=a@b',
]

describe('checkDestination', () => {
  test.each(privateDestinations)('refuses %j as a destination', (url) =>
    expect(ruleOf(url)).toBe('destination'),
  )
  test.each(malformedDestinations)('refuses %j as a URL', (url) => expect(ruleOf(url)).toBe('url'))
  test.each(publicDestinations)('accepts %j', (url) => expect(ruleOf(url)).toBeUndefined())

  test('lets a listed private range through, and nothing beside it', () => {
    const open = createDestinationGuard({ allowCidrs: ['127.0.0.0/8'] })
    expect(open.checkDestination('https://127.0.0.1:4000/')).toBeUndefined()
    expect(open.checkDestination('https://localhost:4000/')).toBeUndefined()
    expect(open.checkDestination('https://10.0.0.1/')?.rule).toBe('destination')
    expect(open.checkDestination('https://[::ffff:127.0.0.1]/')?.rule).toBe('destination')
    expect(open.checkDestination('https://127.0.0.1:22/')?.rule).toBe('destination')
  })

  test('keeps metadata addresses closed under every setting', () => {
    const open = createDestinationGuard({ allowCidrs: ['0.0.0.0/0', '::/0'] })
    for (const host of [
      '169.254.169.254',
      '[fd00:ec2::254]',
      '168.63.129.16',
      '[::ffff:169.254.169.254]',
      '[64:ff9b::a9fe:a9fe]',
      '[2002:a9fe:a9fe::]',
      '[::169.254.169.254]',
    ]) {
      expect(open.checkDestination(`https://${host}/`)?.rule, host).toBe('destination')
    }
    expect(open.checkDestination('https://[fd12::1]/')).toBeUndefined()
  })

  test('takes http only when it is allowed', () => {
    const open = createDestinationGuard({ allowHttp: true })
    expect(open.checkDestination('http://example.com:8080/')).toBeUndefined()
    expect(open.checkDestination('http://127.0.0.1:8080/')?.rule).toBe('destination')
  })
})

describe('isAllowedAddress', () => {
  test.each(['93.184.216.34', '2606:4700:4700::1111'])('accepts %s', (ip) =>
    expect(guard.isAllowedAddress(ip)).toBe(true),
  )
  test.each([
    '10.0.0.1',
    '::1',
    '::ffff:93.184.216.34',
    'fe80::1%eth0',
    'fd00:ec2::1',
    '168.63.129.16',
    'nonsense',
    '',
  ])('refuses %j', (ip) => expect(guard.isAllowedAddress(ip)).toBe(false))
})
