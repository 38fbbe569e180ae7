import { expect, it } from 'vitest'
import { addressGroup, customerOf, isAddressIn, parseBlock } from './address-block.ts'

it.each([
  ['10.0.0.1', '10.0.0.1'],
  ['10.0.0.1', '10.0.0.0/8'],
  ['::ffff:10.0.0.1', '10.0.0.0/8'],
  ['10.0.0.1', '::ffff:10.0.0.0/104'],
  ['10.0.0.1', '::ffff:10.0.0.1'],
  ['2001:db8::1', '2001:DB8::/32'],
  ['2001:db8:0:0::1', '2001:db8::1'],
  ['192.0.2.1', '0.0.0.0/0'],
])('%s lies in %s', (address, block) => {
  expect(isAddressIn(address, [block])).toBe(true)
})

it.each([
  ['10.0.0.1', '10.0.0.2'],
  ['11.0.0.1', '10.0.0.0/8'],
  ['11.0.0.1', '::ffff:10.0.0.0/104'],
  ['10.0.0.1', '::/0'],
  ['', '0.0.0.0/0'],
  ['unknown', '0.0.0.0/0'],
])('%j does not lie in %s', (address, block) => {
  expect(isAddressIn(address, [block])).toBe(false)
})

it.each([
  '10/8',
  '0x7f.1/8',
  '010.0.0.0/8',
  '10.1',
  '2130706433',
  'fe80::1%eth0',
  '10.0.0.0/33',
  '::1/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '10.0.0.0/ 8',
  'example.com',
  '',
])('refuses %j as an address and as a block', (entry) => {
  expect(parseBlock(entry)).toBeUndefined()
})

it.each([
  ['192.0.2.7', '192.0.2.7', []],
  ['::ffff:192.0.2.7', '192.0.2.7', []],
  ['unknown', 'unknown', []],
  ['2001:db8:1:23ff:4:5:6:7', '2001:db8:1:23ff::/64', ['2001:db8:1:2300::/56', '2001:db8:1::/48']],
])('groups %s as %s with the networks %j', (address, name, networks) => {
  const group = addressGroup(address)
  expect([group.name, group.networks.map((network) => network.name)]).toEqual([name, networks])
  expect(customerOf(address)).toBe(networks.at(-1) ?? name)
})
