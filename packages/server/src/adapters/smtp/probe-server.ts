import net, { isIP, type Socket } from 'node:net'
import tls, { type SecureContext } from 'node:tls'
import type { MailTestStep } from '@crmkit/core'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailServer, OutgoingMail, ProbedStep } from '../../ports/mail-sender.ts'
import { atFirstUse } from '../../shared/at-first-use.ts'
import { type MailDestinations, resolveServer, ServerRefused } from '../../shared/mail-destinations.ts'
import { signIn } from './sign-in.ts'

const smtpConnection = atFirstUse<typeof SMTPConnection>('nodemailer/lib/smtp-connection')

/** A person waits for the result. */
const waitMs = 10_000

interface ProbeOptions extends MailDestinations {
  /** The name of this machine in the greeting. */
  name: string
}

class StepFailed extends Error {}

/** Returns the steps of one connection, up to the first that fails. */
export async function probeServer(
  options: ProbeOptions,
  server: MailServer,
  mail?: Omit<OutgoingMail, 'server'>,
): Promise<ProbedStep[]> {
  const steps: ProbedStep[] = []
  const run = async <T>(step: MailTestStep, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const ms = () => Math.round(performance.now() - startedAt)
    try {
      const done = await work()
      steps.push({ step, ok: true, ms: ms(), error: null })
      return done
    } catch (error) {
      steps.push({ step, ok: false, ms: ms(), error: sentenceOf(error, step, server) })
      throw new StepFailed()
    }
  }
  let socket: Socket | undefined
  try {
    const { addresses, secureContext } = await run('resolve', () => resolveServer(options, server))
    socket = await run('connect', () => openSocket(server, addresses))
    const connection = await connect({ options, server, socket, secureContext, run })
    if (server.user !== null) await run('sign_in', () => signIn(connection, server))
    if (mail !== undefined) await run('send', () => send(connection, mail))
    connection.quit()
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
  } finally {
    // The farewell may still be on its way.
    socket?.end()
    socket?.setTimeout(waitMs, () => socket?.destroy())
  }
  return steps
}

function openSocket({ port }: MailServer, addresses: readonly string[]): Promise<Socket> {
  const lookup: net.LookupFunction = (_host, { all }, done) => {
    const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all) done(null, pinned)
    else done(null, pinned[0]?.address ?? '', pinned[0]?.family ?? 0)
  }
  // The name is pinned to the addresses that were checked.
  const socket = net.connect({ host: 'checked.invalid', port, lookup })
  return settled(socket, 'connect')
}

function settled<S extends Socket>(socket: S, event: 'connect' | 'secureConnect'): Promise<S> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('timeout')), waitMs)
    const end = () => {
      clearTimeout(timer)
      // A later error is reported by the step that it interrupts.
      socket.off('error', fail).on('error', () => undefined)
    }
    const fail = (error: Error) => {
      end()
      reject(error)
    }
    socket.once('error', fail).once(event, () => {
      end()
      resolve(socket)
    })
  })
}

interface Connecting {
  options: ProbeOptions
  server: MailServer
  socket: Socket
  secureContext: SecureContext
  run<T>(step: MailTestStep, work: () => Promise<T>): Promise<T>
}

/** The greeting is part of the step `tls`, because STARTTLS follows it; without TLS it is a step of its own. */
function connect({ options, server, socket, secureContext, run }: Connecting): Promise<SMTPConnection> {
  const { host, security } = server
  const servername = isIP(host) === 0 ? host : ''
  return run(security === 'none' ? 'connect' : 'tls', async () => {
    const isTls = security === 'tls'
    const secured = isTls
      ? await settled(
          tls.connect({ socket, host, secureContext, servername, minVersion: 'TLSv1.2' }),
          'secureConnect',
        )
      : socket
    const connection = new (smtpConnection())({
      host,
      port: server.port,
      name: options.name,
      connection: secured,
      secure: isTls,
      secured: isTls,
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      connectionTimeout: waitMs,
      greetingTimeout: waitMs,
      socketTimeout: waitMs,
      tls: {
        secureContext,
        minVersion: 'TLSv1.2',
        rejectUnauthorized: true,
        ...(servername !== '' && { servername }),
      },
    })
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject)
      connection.connect((error) => (error ? reject(error) : resolve()))
    })
    connection.on('error', () => undefined)
    return connection
  })
}

function send(
  connection: SMTPConnection,
  { envelope, content }: Omit<OutgoingMail, 'server'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const to = [...envelope.to]
    connection.send({ from: envelope.from, to }, content(), (error) => (error ? reject(error) : resolve()))
  })
}

const responseMax = 300

/** Returns one sentence that a person can act on. */
function sentenceOf(error: unknown, step: MailTestStep, { host, port }: MailServer): string {
  const { code, message, responseCode, response } = error as Error & {
    code?: string
    responseCode?: number
    response?: string
  }
  if (error instanceof ServerRefused) return `${message}.`
  const said = (response ?? message).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, responseMax)
  if (step === 'connect') {
    if (code === 'ECONNREFUSED') return `Nothing listens at port ${port} of ${host}: check the port.`
    return `${host} does not accept a connection at port ${port}: check the port and the firewall (${said}).`
  }
  if (step === 'tls')
    return `The connection cannot be encrypted: check the security, the port and the certificate (${said}).`
  if (step === 'sign_in')
    return responseCode === undefined
      ? `The connection ended during the sign-in (${said}).`
      : `The server refuses the user or the password: ${said}`
  return `The server refuses the mail: ${said}`
}
