import { appendFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../test/support/https-receiver.ts'
import { useSenderHarness } from '../../../test/support/sender-harness.ts'
import { createDestinationGuard } from './destination-guard.ts'
import { createHttpsSender } from './https-sender.ts'

const { certificate, openSender, openReceiver, openTcp, post, onCleanup } = useSenderHarness()

describe('certificates', () => {
  test('an untrusted certificate fails with TLS', async () => {
    const receiver = await openReceiver()
    const result = await post(openSender({ caFiles: [] }), receiver.url)
    expect(result).toMatchObject({ errorCode: 'TLS', statusCode: null })
    expect(receiver.requests).toHaveLength(0)
  })

  test('a certificate for another name fails with TLS', async () => {
    const receiver = await openReceiver()
    const sender = openSender({ resolveHost: async () => ['127.0.0.1'] })
    expect((await post(sender, `https://other.test:${receiver.port}/`)).errorCode).toBe('TLS')
    expect((await post(sender, `https://receiver.test:${receiver.port}/`)).statusCode).toBe(200)
  })

  test('plain HTTP on the port fails with TLS', async () => {
    const url = await openTcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    expect((await post(openSender(), url)).errorCode).toBe('TLS')
  })

  test('a CA file that appears or changes is used from the next connection on', async () => {
    const other = await makeCertificate()
    onCleanup(other.remove)
    const [first, second] = [await openReceiver(), await openReceiver(undefined, other)]
    const caFile = `${other.caFile}.late`
    const sender = openSender({ caFiles: [caFile] })
    expect((await post(sender, first.url)).errorCode).toBe('TLS')
    writeFileSync(caFile, certificate().cert)
    expect((await post(sender, first.url)).statusCode).toBe(200)
    expect((await post(sender, second.url)).errorCode).toBe('TLS')
    appendFileSync(caFile, `\n${other.cert}`)
    expect((await post(sender, second.url)).statusCode).toBe(200)
  })
})

test('an extra CA is not trusted for a destination that is public', async () => {
  const receiver = await openReceiver()
  // A guard that treats loopback as a public network.
  const guard = {
    ...createDestinationGuard({ allowCidrs: ['127.0.0.0/8'] }),
    isPrivatelyAllowed: () => false,
  }
  const sender = createHttpsSender({ guard, caFiles: [certificate().caFile] })
  onCleanup(() => sender.close())
  expect((await post(sender, receiver.url)).errorCode).toBe('TLS')
})

describe('blocked destinations', () => {
  const blocked = { errorCode: 'BLOCKED', statusCode: null, remoteAddress: null }

  test('a literal private address is refused without a connection', async () => {
    const receiver = await openReceiver()
    const result = await post(openSender({ allowCidrs: [] }), receiver.url)
    expect(result).toMatchObject(blocked)
    expect(result.error).not.toContain('127')
    expect(receiver.connectionCount()).toBe(0)
  })

  test('a name that resolves to a private address is refused, and the error does not show the address', async () => {
    const receiver = await openReceiver()
    const sender = openSender({ allowCidrs: [], resolveHost: async () => ['127.0.0.1'] })
    const result = await post(sender, `https://receiver.test:${receiver.port}/`)
    expect(result).toMatchObject(blocked)
    expect(JSON.stringify(result)).not.toContain('127')
    expect(receiver.connectionCount()).toBe(0)
  })

  test.each([
    [['93.184.216.34', '10.0.0.1']],
    [['2606:4700:4700::1111', '::1']],
    [['127.0.0.1', '169.254.169.254']],
  ])('one private address among %j is enough to refuse', async (addresses) => {
    expect(
      await post(openSender({ resolveHost: async () => addresses }), 'https://receiver.test/'),
    ).toMatchObject(blocked)
  })

  test('localhost connects to the loopback family that is allowed, and to none without one', async () => {
    const receiver = await openReceiver()
    const url = `https://localhost:${receiver.port}/`
    expect(await post(openSender(), url)).toMatchObject({ statusCode: 200, remoteAddress: '127.0.0.1' })
    expect(await post(openSender({ allowCidrs: [] }), url)).toMatchObject(blocked)
  })

  test('a name whose addresses change is checked and connected by one and the same look-up', async () => {
    const receiver = await openReceiver()
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254']]
    let asked = 0
    const sender = openSender({ resolveHost: async () => answers[asked++] ?? [] })
    const url = `https://receiver.test:${receiver.port}/`
    expect(await post(sender, url)).toMatchObject({ statusCode: 200, remoteAddress: '127.0.0.1' })
    expect(asked).toBe(1)
    expect(await post(sender, url, { tenantId: 'ten_2' })).toMatchObject(blocked)
    expect(await post(sender, url, { tenantId: 'ten_3' })).toMatchObject(blocked)
  })
})
