import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { TestCertificate } from './https-receiver.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  raw: string
  /** The name that the client has signed in with. */
  user: string | null
}

/** The behaviour of the receiver towards one mail. */
export interface Behaviour {
  /** The code for a recipient; undefined accepts it. */
  recipient?: (address: string) => number | undefined
  /** The code of MAIL. */
  sender?: number
  /** The code after the body. */
  data?: number
  /** The sentence behind the 250 that accepts a mail. */
  accepted?: string
  /** Ends the connection when the client begins the body, or after its last byte, with or without keeping the mail. */
  cut?: 'before-data' | 'after-data' | 'after-data-kept'
}

export interface SmtpReceiver {
  port: number
  readonly mails: readonly ReceivedMail[]
  /** How many connections were made to it. */
  connections(): number
  /** Ends every connection, as a server does with an idle one. */
  disconnect(): void
  /** Behaves like this towards all following mails. */
  behave(behaviour: Behaviour): void
  stop(): Promise<void>
}

export interface ReceiverOptions {
  certificate: TestCertificate
  security?: 'tls' | 'starttls' | 'none'
  password?: string
  /** Says whether an access token is the user's: the server then takes tokens alone. */
  isValidToken?: (accessToken: string, user: string) => boolean
  /** Default: a free one. */
  port?: number
}

/** A real SMTP server on this machine, which misbehaves on command. */
export async function startSmtpReceiver({
  certificate: { key, cert },
  security = 'starttls',
  password,
  isValidToken,
  port = 0,
}: ReceiverOptions): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = []
  let now: Behaviour = {}
  const sockets = new Set<Socket>()
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const refused = (responseCode: number) => Object.assign(new Error('refused by command'), { responseCode })
  const server = new SMTPServer({
    key,
    cert,
    secure: security === 'tls',
    authOptional: password === undefined && isValidToken === undefined,
    ...(isValidToken && { authMethods: ['XOAUTH2'] }),
    disabledCommands: security === 'none' ? ['STARTTLS'] : [],
    onAuth: ({ username = '', password: given, accessToken = '' }, _session, done) =>
      (isValidToken ? isValidToken(accessToken, username) : given === password)
        ? done(null, { user: username })
        : done(refused(535)),
    onMailFrom: (_address, _session, done) => (now.sender === undefined ? done() : done(refused(now.sender))),
    onRcptTo: ({ address }, _session, done) => {
      const code = now.recipient?.(address)
      if (code === undefined) done()
      else done(refused(code))
    },
    onData: (stream, session, done) => {
      if (now.cut === 'before-data') return cutAll()
      const receive = (bytes: Buffer) => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : (mailFrom?.address ?? '')
        const to = rcptTo.map(({ address }) => address)
        const isKept = now.cut !== 'after-data' && now.data === undefined
        if (isKept)
          mails.push({ from, to, raw: bytes.toString(), user: session.user ? String(session.user) : null })
        if (now.cut !== undefined) cutAll()
        else if (now.data !== undefined) done(refused(now.data))
        else done(null, now.accepted)
      }
      // A client that dies inside the body leaves no mail.
      void buffer(stream).then(receive, () => undefined)
      return undefined
    },
  })
  server.on('error', () => undefined)
  let connections = 0
  server.server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    connections: () => connections,
    disconnect: cutAll,
    behave: (behaviour) => {
      now = behaviour
    },
    stop: async () => {
      cutAll()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
