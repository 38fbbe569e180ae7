import type { Readable } from 'node:stream'
import { domainOf, noEmailSettings } from '@crmkit/core'
import type DKIM from 'nodemailer/lib/dkim'
import type { SecretBox } from '../../ports/secret-box.ts'
import { atFirstUse } from '../../shared/at-first-use.ts'
import { openMailSecrets } from '../../shared/mail-secrets.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'

const dkimSigner = atFirstUse<typeof DKIM>('nodemailer/lib/dkim')

type Sign = (mail: Readable) => Readable

/**
 * Returns the function that signs the mail of an inbox with its DKIM key. A mail from another domain, such as the one
 * of the relay, stays as it is: a signature of a domain that is not the one of From helps no receiver.
 */
export function signerOf(secrets: SecretBox, { inbox, from }: { inbox: InboxRecord; from: string }): Sign {
  const { address, dkim } = inbox.email ?? noEmailSettings
  const domain = domainOf(address)
  if (!dkim || domain === null || domain !== domainOf(from)) return (mail) => mail
  const { dkimPrivateKey: privateKey } = openMailSecrets(secrets, inbox)
  if (privateKey === undefined) return (mail) => mail
  const signer = new (dkimSigner())({ domainName: domain, keySelector: dkim.selector, privateKey })
  return (mail) => signer.sign(mail)
}
