/** For an address of a server that holds a password. */
export const passwordRule =
  'has a user or a password with @ or / in it: write them percent-encoded, @ as %40 and / as %2F'

/**
 * Returns whether an address of a server is read as it was meant: an `@` or a slash within its password would begin the host's name
 * there, and a part of the password would stand in messages about a host that is unknown.
 */
export function isSplitAsMeant(address: string): boolean {
  const [, rest = ''] = /^[a-z+]+:\/\/([^?]*)/i.exec(address) ?? []
  const at = rest.lastIndexOf('@')
  return at === -1 || !/[@/]/.test(rest.slice(0, at))
}
