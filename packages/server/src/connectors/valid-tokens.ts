import type { SourceTokens, TokenKeeper } from '../ports/connector.ts'

const earlyMsMax = 5 * 60_000

/** Returns whether an access token has to be replaced: 5 minutes, or a tenth of its lifetime, before its end. */
function isDue({ accessToken, accessTokenExpiresAt, lifetimeSeconds }: SourceTokens, nowMs: number): boolean {
  if (accessToken === null) return true
  if (accessTokenExpiresAt === null) return false
  const earlyMs = Math.min(earlyMsMax, lifetimeSeconds === null ? earlyMsMax : lifetimeSeconds * 100)
  return Date.parse(accessTokenExpiresAt) - earlyMs <= nowMs
}

interface Refreshing {
  tokens: TokenKeeper
  nowMs: number
  refresh(current: SourceTokens): Promise<SourceTokens>
}

/** Returns tokens whose access token is still valid for a while. */
export async function validTokens({ tokens, nowMs, refresh }: Refreshing): Promise<SourceTokens> {
  const stored = await tokens.read()
  return isDue(stored, nowMs) ? tokens.replace(stored, refresh) : stored
}
