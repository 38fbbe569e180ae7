import { connect, type Socket } from 'node:net'
import type { MailTestStep } from '@crmkit/core'
import type { ProbedStep } from '../../ports/mail-sender.ts'
import type { MailboxServer } from '../../ports/mail-source.ts'
import type { MailDestinations } from '../../shared/mail-destinations.ts'
import { describeImapFailure } from './describe-imap-failure.ts'
import { type Destination, openFolder, resolveMailbox, signIn } from './open-imap.ts'

/** A person waits for the result. */
const connectMs = 10_000

/** Returns the steps of one connection, up to the first that fails. */
export async function probeMailbox(rules: MailDestinations, server: MailboxServer): Promise<ProbedStep[]> {
  const steps: ProbedStep[] = []
  let step: MailTestStep = 'resolve'
  let startedAt = performance.now()
  const end = (error: string | null, next: MailTestStep = step) => {
    const now = performance.now()
    steps.push({ step, ok: error === null, ms: Math.round(now - startedAt), error })
    startedAt = now
    step = next
  }
  try {
    const destination = await resolveMailbox(rules, server)
    end(null, 'connect')
    await tryPort(server, destination)
    end(null, 'tls')
    const client = await signIn(server, destination, () => end(null, 'sign_in'))
    end(null, 'open_folder')
    const mailbox = await openFolder(client, server)
    end(null)
    mailbox.close()
  } catch (error) {
    end(describeImapFailure(error, server, 'connect').message)
  }
  return steps
}

/** The library connects and encrypts in one go, so that the port alone is tried by a connection of its own. */
async function tryPort(server: MailboxServer, { addresses }: Destination): Promise<void> {
  let failure: unknown
  for (const host of addresses) {
    try {
      const socket = await opened(connect({ host, port: server.port, timeout: connectMs }))
      return void socket.destroy()
    } catch (error) {
      failure = error
    }
  }
  throw describeImapFailure(failure, server, 'connect')
}

function opened(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timedOut = Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })
    socket.once('timeout', () => socket.destroy(timedOut))
    socket.once('error', reject).once('connect', () => resolve(socket))
  })
}
