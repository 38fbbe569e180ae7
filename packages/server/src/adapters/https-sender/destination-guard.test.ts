import { describe, expect, test } from 'vitest'
import {
  malformedDestinations,
  privateDestinations,
  publicDestinations,
} from '../../../test/support/destination-vectors.ts'
import { createDestinationGuard } from './destination-guard.ts'

const guard = createDestinationGuard({})
const ruleOf = (url: string) => guard.checkDestination(url)?.rule

describe('checkDestination', () => {
  test.each(privateDestinations)('refuses %j as a destination', (url) =>
    expect(ruleOf(url)).toBe('destination'),
  )
  test.each(malformedDestinations)('refuses %j as a URL', (url) => expect(ruleOf(url)).toBe('url'))
  test.each(publicDestinations)('accepts %j', (url) => expect(ruleOf(url)).toBeUndefined())

  test('allows a listed private range and no other one', () => {
    const open = createDestinationGuard({ allowCidrs: ['127.0.0.0/8'] })
    expect(open.checkDestination('https://127.0.0.1:4000/')).toBeUndefined()
    expect(open.checkDestination('https://localhost:4000/')).toBeUndefined()
    expect(open.checkDestination('https://10.0.0.1/')?.rule).toBe('destination')
    expect(open.checkDestination('https://[::ffff:127.0.0.1]/')?.rule).toBe('destination')
    expect(open.checkDestination('https://127.0.0.1:22/')?.rule).toBe('destination')
  })

  test('refuses metadata addresses under every setting', () => {
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

  test('accepts http only when a setting allows it', () => {
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
