import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificate, type TestCertificate } from '../../../test/support/https-receiver.ts'
import { type ReceiverOptions, startSmtpReceiver } from '../../../test/support/smtp-receiver.ts'
import type { MailServer } from '../../ports/mail-sender.ts'
import { createDestinationGuard } from '../https-sender/destination-guard.ts'
import { createHostResolver } from '../https-sender/resolve-host.ts'
import { createTrustedCa } from '../https-sender/trusted-ca.ts'
import { createSmtpSender } from './smtp-sender.ts'

let certificate: TestCertificate
beforeAll(async () => {
  certificate = await makeCertificate()
})
afterAll(() => certificate.remove())

const to = ['a@example.com', 'b@example.com']
const body = 'Subject: Hello\r\n\r\nA dot:\r\n.\r\nEnd'

function openSender({ allowCidrs = ['127.0.0.0/8'], caFiles = [certificate.caFile] } = {}) {
  const guard = createDestinationGuard({ allowCidrs })
  return createSmtpSender({
    isAllowedAddress: guard.isAllowedAddress,
    isPrivatelyAllowed: guard.isPrivatelyAllowed,
    resolveHost: createHostResolver(),
    trustedCa: createTrustedCa(caFiles),
    name: 'crmkit.test',
    timeouts: { connectMs: 10_000, silenceMs: 10_000, afterDataMs: 10_000 },
  })
}

async function withReceiver<T>(
  options: Partial<ReceiverOptions>,
  use: (receiver: Awaited<ReturnType<typeof startSmtpReceiver>>, server: MailServer) => Promise<T>,
): Promise<T> {
  const receiver = await startSmtpReceiver({ certificate, ...options })
  const server: MailServer = {
    host: 'localhost',
    port: receiver.port,
    security: options.security ?? 'starttls',
    user: options.password === undefined ? null : 'support',
    password: options.password ?? null,
    isOperators: false,
  }
  try {
    return await use(receiver, server)
  } finally {
    await receiver.stop()
  }
}

const mail = (server: MailServer, recipients = to) => ({
  server,
  envelope: { from: 'support@example.com', to: recipients },
  content: () => Readable.from([Buffer.from(body)]),
})

test.each(['tls', 'starttls'] as const)(
  'sends over %s with a checked certificate and a password',
  (security) =>
    withReceiver({ security, password: 'hunter2' }, async (receiver, server) => {
      const result = await openSender().send(mail(server))
      expect(result).toMatchObject({ outcome: 'sent', code: 250, host: 'localhost' })
      expect(result.recipients).toMatchObject(to.map((address) => ({ address, outcome: 'sent', code: 250 })))
      expect(receiver.mails).toMatchObject([{ from: 'support@example.com', to, user: 'support' }])
      expect(receiver.mails[0]?.raw.trimEnd()).toBe(body)
    }),
)

test.each([
  ['the certificate is unknown', {}, { caFiles: [] }, {}],
  ['the address is not allowed', {}, { allowCidrs: [] }, {}],
  ['STARTTLS is not offered', { security: 'none' }, {}, { security: 'starttls' }],
  ['no password is stored', { password: 'hunter2' }, {}, { password: null }],
  ['the name does not exist', {}, {}, { host: 'nowhere.invalid' }],
  ['nothing listens', {}, {}, { port: 1025 }],
] as const)('is unreachable when %s, and the server gets nothing', (_, options, sender, change) =>
  withReceiver(options, async (receiver, server) => {
    const result = await openSender(sender as never).send(mail({ ...server, ...change }))
    expect(result).toMatchObject({ outcome: 'unreachable', recipients: [] })
    expect(result.response).not.toBe('')
    expect(JSON.stringify(result)).not.toContain('hunter2')
    expect(receiver.mails).toEqual([])
  }),
)

test('a domain in letters leaves in ASCII, and a result names the recipient as the mail does', async () => {
  const { port, commands, stop } = await startPlainServer((line) => (line.includes('<b@') ? 550 : 250))
  const server: MailServer = {
    host: 'localhost',
    port,
    security: 'none',
    user: null,
    password: null,
    isOperators: false,
  }
  const result = await openSender().send(mail(server, ['a@bücher.example', 'b@BÜCHER.example']))
  stop()
  expect(result.recipients).toMatchObject([
    { address: 'a@bücher.example', outcome: 'sent' },
    { address: 'b@BÜCHER.example', outcome: 'failed', code: 550 },
  ])
  expect(commands.filter((line) => line.startsWith('RCPT'))).toEqual([
    'RCPT TO:<a@xn--bcher-kva.example>',
    'RCPT TO:<b@xn--bcher-kva.example>',
  ])
})

/** A server without SMTPUTF8 that keeps each command as it came: a library would show the domain in letters again. */
async function startPlainServer(codeOf: (line: string) => number) {
  const commands: string[] = []
  const server = createServer((socket) => {
    let isBody = false
    socket.write('220 plain\r\n')
    createInterface({ input: socket }).on('line', (line) => {
      if (isBody && line !== '.') return
      commands.push(line)
      const code = isBody ? 250 : line === 'DATA' ? 354 : line === 'QUIT' ? 221 : codeOf(line)
      isBody = line === 'DATA'
      socket.write(`${code} said\r\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () => server.close()
  return { port, commands, stop }
}

test('a server that refuses the password gets nothing, and says so', () =>
  withReceiver({ password: 'hunter2' }, async (receiver, server) => {
    const result = await openSender().send(mail({ ...server, password: 'wrong' }))
    expect(result).toMatchObject({ outcome: 'refused_sign_in', code: 535, recipients: [] })
    expect(JSON.stringify(result)).not.toContain('hunter2')
    expect(receiver.mails).toEqual([])
  }))

test.each([
  ['the certificate is unknown', {}, { caFiles: [] }, {}, true],
  ['the server is about to close', {}, {}, {}, true],
  ['nothing listens', {}, {}, { port: 1025 }, false],
] as const)('knows whether the server was there when %s', (_, options, sender, change, wasConnected) =>
  withReceiver(options, async (receiver, server) => {
    receiver.behave({ sender: 421 })
    const result = await openSender(sender as never).send(mail({ ...server, ...change }))
    expect(result).toMatchObject({ outcome: 'unreachable', wasConnected })
  }),
)

test('says of each recipient what the server said: one refused for good does not stop the others', () =>
  withReceiver({}, async (receiver, server) => {
    const codes: Record<string, number> = { 'b@example.com': 550, 'c@example.com': 451 }
    receiver.behave({ recipient: (address) => codes[address] })
    const result = await openSender().send(mail(server, [...to, 'c@example.com']))
    expect(result.outcome).toBe('sent')
    expect(result.recipients.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['sent', 250],
      ['failed', 550],
      ['deferred', 451],
    ])
    expect(receiver.mails[0]?.to).toEqual(['a@example.com'])
  }))

test.each([
  ['MAIL is refused for good', { sender: 550 }, 'failed', 550],
  ['MAIL is refused for now', { sender: 450 }, 'deferred', 450],
  ['every recipient is refused for good', { recipient: (): number => 550 }, 'failed', 550],
  ['every recipient is refused for now', { recipient: (): number => 451 }, 'deferred', 451],
  ['the body is refused for good', { data: 554 }, 'failed', 554],
  ['the body is refused for now', { data: 452 }, 'deferred', 452],
  ['the server is about to close', { sender: 421 }, 'unreachable', 421],
  ['the connection ends before the body', { cut: 'before-data' }, 'unreachable', null],
  ['the connection ends after the body', { cut: 'after-data' }, 'unknown', null],
  ['the connection ends after the body, which was kept', { cut: 'after-data-kept' }, 'unknown', null],
] as const)(
  'when %s, the outcome is the one that decides about the next attempt',
  (_, behaviour, outcome, code) =>
    withReceiver({}, async (receiver, server) => {
      receiver.behave(behaviour)
      const result = await openSender().send(mail(server))
      expect([result.outcome, result.code]).toEqual([outcome, code])
      const perRecipient = outcome === 'unreachable' ? [] : to.map(() => outcome)
      expect(result.recipients.map((recipient) => recipient.outcome)).toEqual(perRecipient)
    }),
)

test('a tenant’s server may not use the port of another service', () => {
  const sender = openSender()
  expect(sender.checkServer({ host: 'mail.example.com', port: 587 })).toBeUndefined()
  for (const port of [22, 80, 443, 995]) {
    expect(sender.checkServer({ host: 'mail.example.com', port })).toMatchObject({ rule: 'destination' })
  }
  expect(sender.checkServer({ host: '10.0.0.1', port: 587 })).toMatchObject({ rule: 'destination' })
})

test('a connection whose mail was accepted sends the next mail, also after a recipient was refused', () =>
  withReceiver({ password: 'hunter2' }, async (receiver, server) => {
    const sender = openSender()
    receiver.behave({ recipient: (address) => (address === 'b@example.com' ? 550 : undefined) })
    for (let count = 0; count < 3; count++)
      expect(await sender.send(mail(server))).toMatchObject({ outcome: 'sent' })
    expect(receiver.mails).toHaveLength(3)
    expect(receiver.connections()).toBe(1)
  }))

test('mails at the same time have a connection each', () =>
  withReceiver({}, async (receiver, server) => {
    const sender = openSender()
    const sent = await Promise.all([1, 2, 3].map(() => sender.send(mail(server))))
    expect(sent).toMatchObject(sent.map(() => ({ outcome: 'sent' })))
    expect(receiver.connections()).toBe(3)
  }))

test.each([
  ['a refusal', { data: 451 }, 'deferred'],
  ['a cut', { cut: 'after-data-kept' }, 'unknown'],
] as const)('after %s the next mail has a connection of its own', (_, behaviour, outcome) =>
  withReceiver({}, async (receiver, server) => {
    const sender = openSender()
    receiver.behave(behaviour)
    expect(await sender.send(mail(server))).toMatchObject({ outcome })
    receiver.behave({})
    expect(await sender.send(mail(server))).toMatchObject({ outcome: 'sent' })
    expect(receiver.connections()).toBe(2)
  }),
)

test('a connection that the server has ended is replaced, and the mail is sent once', () =>
  withReceiver({}, async (receiver, server) => {
    const sender = openSender()
    await sender.send(mail(server))
    receiver.disconnect()
    expect(await sender.send(mail(server))).toMatchObject({ outcome: 'sent', code: 250 })
    expect(receiver.mails).toHaveLength(2)
    expect(receiver.connections()).toBe(2)
  }))

test('a kept connection that ends inside the next body is unknown or unreachable, and never tried again at once', () =>
  withReceiver({}, async (receiver, server) => {
    const sender = openSender()
    await sender.send(mail(server))
    receiver.behave({ cut: 'after-data-kept' })
    expect(await sender.send(mail(server))).toMatchObject({ outcome: 'unknown' })
    expect(receiver.mails).toHaveLength(2)
    expect(receiver.connections()).toBe(1)
  }))

test('another password never uses the connection of the right one', () =>
  withReceiver({ password: 'hunter2' }, async (receiver, server) => {
    const sender = openSender()
    await sender.send(mail(server))
    const refused = await sender.send(mail({ ...server, password: 'wrong' }))
    expect(refused).toMatchObject({ outcome: 'refused_sign_in', code: 535 })
    expect(receiver.mails).toHaveLength(1)
  }))
