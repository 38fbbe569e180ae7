import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Readable } from 'node:stream'
import { domainOf, noEmailSettings } from '@crmkit/core'
import type { SecretBox } from '../../ports/secret-box.ts'
import { openMailSecrets } from '../../shared/mail-secrets.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import { signWithDkim } from './dkim-signer.ts'

const keysMax = 1_000
/** By their PEM form: to read that takes longer than a signature. */
const keys = new Map<string, KeyObject>()

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
  const key = { domain, selector: dkim.selector, privateKey: keyOf(privateKey) }
  return (mail) => signWithDkim(mail, key)
}

function keyOf(pem: string): KeyObject {
  const known = keys.get(pem)
  if (known !== undefined) return known
  const key = createPrivateKey(pem)
  const [oldest] = keys.keys()
  if (oldest !== undefined && keys.size >= keysMax) keys.delete(oldest)
  keys.set(pem, key)
  return key
}
