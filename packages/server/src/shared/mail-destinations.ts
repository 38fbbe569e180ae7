import { isIP } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { MailServer } from '../ports/mail-sender.ts'

/** The rules about mail servers, and how their names are resolved. */
export interface MailDestinations {
  isAllowedAddress(address: string): boolean
  isPrivatelyAllowed(address: string): boolean
  resolveHost(host: string): Promise<string[]>
  trustedCa: { readonly usual: SecureContext; extended(): SecureContext }
}

/** No connection was begun; the message is one sentence for the settings of the inbox. */
export class ServerRefused extends Error {
  override readonly name = 'ServerRefused'
}

const mailPorts = new Set([25, 143, 465, 587, 993])

/** Other ports below 1024 belong to services that must not get what a tenant makes this one send. */
export function isMailPort(port: number): boolean {
  return mailPorts.has(port) || port >= 1024
}

/** Resolves a server and checks every address: the connection is then made to these addresses alone. */
export async function resolveServer(
  rules: MailDestinations,
  { host, port, isOperators }: MailServer,
): Promise<{ addresses: readonly string[]; secureContext: SecureContext }> {
  if (!isOperators && !isMailPort(port)) throw new ServerRefused('The port is not one of mail servers')
  const resolved = await rules.resolveHost(host).catch(() => [])
  if (resolved.length === 0) throw new ServerRefused('The name of the server cannot be resolved')
  const isOwnName = isIP(host) === 0 && resolved.some((address) => address.startsWith('127.'))
  const addresses = isOwnName && !isOperators ? resolved.filter(rules.isAllowedAddress) : resolved
  const isAllowed = isOperators || (addresses.length > 0 && addresses.every(rules.isAllowedAddress))
  if (!isAllowed) throw new ServerRefused('The server is not at a public address')
  const isPrivate = isOperators || addresses.every(rules.isPrivatelyAllowed)
  return { addresses, secureContext: isPrivate ? rules.trustedCa.extended() : rules.trustedCa.usual }
}
