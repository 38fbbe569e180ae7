/** Shorter words may be a number of a queue, which comes again, or a word of a sentence. */
const remoteIdPattern = /^[A-Za-z0-9._-]{16,200}$/

/** Returns a text that may be the id that a server gave a mail; undefined for any other. */
export function asRemoteId(text: string): string | undefined {
  return remoteIdPattern.test(text) ? text : undefined
}

/**
 * Returns the id that a server names at the end of the line that accepts a mail, as Amazon SES does:
 * `250 Ok 010001234567890a-…-000000`. It replaces our Message-ID, so replies and events name the mail by that id.
 */
export function remoteIdIn(response: string): string | undefined {
  return asRemoteId(response.trimEnd().split(' ').at(-1) ?? '')
}
