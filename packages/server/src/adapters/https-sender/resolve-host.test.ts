import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createHostResolver } from './resolve-host.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-hosts-'))
const hostsFile = path.join(directory, 'hosts')
writeFileSync(hostsFile, '# comment fixed.test\n192.0.2.7 fixed.test other.test # also\n::1\tfixed.test\n')
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})
afterAll(() => rmSync(directory, { recursive: true }))

const typeA = 1
type DnsAnswer = number[] | 'none' | 'silence'

/** A name server with one result for each address family. */
async function openNameServer(answers: { a: DnsAnswer; aaaa: DnsAnswer }): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const type = question.readUInt16BE(question.length - 4)
    const answer = type === typeA ? answers.a : answers.aaaa
    if (answer === 'silence') return
    const found = answer === 'none' ? [] : [answer]
    // Response, recursion available; NXDOMAIN without a record.
    const header = Buffer.from([
      ...query.subarray(0, 2),
      0x81,
      found.length > 0 ? 0x80 : 0x83,
      0,
      1,
      0,
      found.length,
      0,
      0,
      0,
      0,
    ])
    const records = found.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
    )
    socket.send(Buffer.concat([header, question, ...records]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  cleanups.push(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

const ipv4 = [93, 184, 216, 34]
const ipv6 = [0x26, 0x06, ...Array(13).fill(0), 1]

test('returns the addresses of both families', async () => {
  const resolve = createHostResolver({ hostsFile, servers: [await openNameServer({ a: ipv4, aaaa: ipv6 })] })
  expect(await resolve('name.test')).toEqual(['93.184.216.34', '2606::1'])
})

test('one address family is enough, also when the look-up of the other one never ends', async () => {
  const onlyV4 = createHostResolver({ hostsFile, servers: [await openNameServer({ a: ipv4, aaaa: 'none' })] })
  expect(await onlyV4('name.test')).toEqual(['93.184.216.34'])
  const onlyV6 = createHostResolver({ hostsFile, servers: [await openNameServer({ a: 'none', aaaa: ipv6 })] })
  expect(await onlyV6('name.test')).toEqual(['2606::1'])
  const halfSilent = createHostResolver({
    hostsFile,
    servers: [await openNameServer({ a: ipv4, aaaa: 'silence' })],
  })
  const startedAt = performance.now()
  expect(await halfSilent('name.test')).toEqual(['93.184.216.34'])
  expect(performance.now() - startedAt).toBeLessThan(4_000)
})

test('rejects a name that does not exist, with the code of the name server', async () => {
  const resolve = createHostResolver({
    hostsFile,
    servers: [await openNameServer({ a: 'none', aaaa: 'none' })],
  })
  await expect(resolve('name.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('uses the hosts file first, and never looks up addresses or localhost', async () => {
  const resolve = createHostResolver({
    hostsFile,
    servers: [await openNameServer({ a: 'silence', aaaa: 'silence' })],
  })
  expect(await resolve('fixed.test')).toEqual(['192.0.2.7', '::1'])
  expect(await resolve('other.test')).toEqual(['192.0.2.7'])
  expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1'])
  expect(await resolve('a.localhost')).toEqual(['127.0.0.1', '::1'])
  expect(await resolve('2606::1')).toEqual(['2606::1'])
})
