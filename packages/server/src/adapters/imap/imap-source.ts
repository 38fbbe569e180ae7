import type { MailSource } from '../../ports/mail-source.ts'
import type { MailDestinations } from '../../shared/mail-destinations.ts'
import { openFolder, resolveMailbox, signIn } from './open-imap.ts'
import { probeMailbox } from './probe-mailbox.ts'

/** Reads mailboxes over IMAP, at the addresses that the rules about mail servers allow. */
export function createImapSource(rules: MailDestinations): MailSource {
  return {
    async open(server) {
      const destination = await resolveMailbox(rules, server)
      return openFolder(await signIn(server, destination), server)
    },
    probe: (server) => probeMailbox(rules, server),
  }
}
