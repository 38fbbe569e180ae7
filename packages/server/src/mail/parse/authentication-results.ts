import type { Headers } from './header-block.ts'

/** Returns the name of the server that an Authentication-Results header is of (RFC 8601), in lower case. */
export function serverOfResults(header: string): string {
  const [head = ''] = withoutComments(header).split(';', 1)
  return head.trim().split(/\s+/, 1)[0]?.toLowerCase() ?? ''
}

/**
 * Returns the server that received a mail and wrote its topmost Authentication-Results: the one that the topmost Received header
 * with a sender names too, because nobody before that server can write above it. Null where they differ.
 */
export function receivingServerOf(headers: Headers, { ownHops }: { ownHops: number }): string | null {
  const server = serverOfResults(headers.first('authentication-results') ?? '')
  if (!isHostName(server)) return null
  const hop = headers.all('received').slice(ownHops).find(hasSender)
  const [, host = ''] = /\sby\s+([^\s;]+)/.exec(withoutComments(hop ?? '').toLowerCase()) ?? []
  return host === server || host.endsWith(`.${server}`) ? server : null
}

/** A hop inside of the receiving system often has none. */
const hasSender = (hop: string) => /^from\s/i.test(hop)

function isHostName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(text)
}

/**
 * Returns the text without its comments, which may be nested. Inside quotes, where a server repeats what the sender wrote,
 * the characters that separate results and properties are replaced: else a sender could write a result.
 */
export function withoutComments(text: string): string {
  let depth = 0
  // An escaped character stands for nothing that separates, and a comment can hold no quotes.
  const tokens = text.replace(/\\[\s\S]/g, '_').match(/"[^"]*"?|[()]|[^"()]+/g) ?? []
  return tokens
    .map((token) => {
      if (token === '(') depth += 1
      else if (token === ')') depth = Math.max(0, depth - 1)
      else if (depth === 0) return token.startsWith('"') ? quotedText(token) : token
      return ''
    })
    .join('')
}

function quotedText(token: string): string {
  return token.replaceAll('"', '').replace(/[\s;=()]/g, '_')
}
