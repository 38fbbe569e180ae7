import { isIP } from 'node:net'
import type { ImapFlow } from 'imapflow'
import { MailboxFailure, type MailboxServer, type OpenMailbox } from '../../ports/mail-source.ts'
import { type MailDestinations, resolveServer } from '../../shared/mail-destinations.ts'
import { describeImapFailure, isUnreachable } from './describe-imap-failure.ts'
import { causeOf, createImapClient, withinBudget } from './imap-client.ts'
import { createImapMailbox } from './imap-mailbox.ts'

/** A name with more addresses than this is tried at the first ones. */
const addressesMax = 3

/** A server that accepts the connection and then says nothing loses it. */
const signInBudget = { ms: 30_000, bytes: 1024 * 1024 }

/** Where a server is: the addresses were checked, and a connection is made to them alone. */
export type Destination = Awaited<ReturnType<typeof resolveServer>>

export async function resolveMailbox(rules: MailDestinations, server: MailboxServer): Promise<Destination> {
  try {
    return await resolveServer(rules, { ...server, isOperators: false })
  } catch (error) {
    throw describeImapFailure(error, server, 'connect')
  }
}

/** Resolves with a signed-in client; `onSecured` is called when its connection is encrypted. */
export async function signIn(
  server: MailboxServer,
  { addresses, secureContext }: Destination,
  onSecured?: () => void,
): Promise<ImapFlow> {
  // An address of a family that this machine does not have must not hide the other one.
  const tried = [...addresses].sort((a, b) => isIP(a) - isIP(b)).slice(0, addressesMax)
  let failure: unknown
  for (const address of tried) {
    const client = createImapClient({ server, address, secureContext, onSecured })
    try {
      await withinBudget(client, signInBudget, () => client.connect())
      return client
    } catch (error) {
      client.close()
      failure = causeOf(client, error)
      if (!isUnreachable(failure)) break
    }
  }
  throw describeImapFailure(failure, server, 'connect')
}

export async function openFolder(client: ImapFlow, server: MailboxServer): Promise<OpenMailbox> {
  try {
    const { uidValidity, uidNext } = await withinBudget(client, signInBudget, () =>
      client.mailboxOpen(server.folder, { readOnly: true }),
    )
    if (typeof uidValidity !== 'bigint') throw new MailboxFailure('The server reports no UIDVALIDITY.')
    const state = { uidValidity: String(uidValidity), uidNext: Number.isInteger(uidNext) ? uidNext : 1 }
    return createImapMailbox(client, server, state)
  } catch (error) {
    client.close()
    throw describeImapFailure(causeOf(client, error), server, 'open_folder')
  }
}
