import type { Role } from '@crmkit/core'

export interface InviteTokens {
  /** Returns a token that names the invited user and cannot be forged. */
  newInvite(invited: { tenantId: string; userId: string }): { token: string; hash: string }
  /** Returns the user that a token of this service invites; undefined for any other text. */
  inviteOf(token: string): { tenantId: string; userId: string } | undefined
}

export interface AccessTokenClaims {
  userId: string
  tenantId: string
  sessionId: string
  role: Role
  nowMs: number
}

export interface SessionTokens extends InviteTokens {
  accessToken(claims: AccessTokenClaims): string
  newRefreshToken(sessionId: string): { token: string; hash: string }
  /** Returns the session of a refresh token, also of a stale one; undefined for a token of another origin. */
  sessionOf(refreshToken: string): string | undefined
  /** Returns the token that a refresh token rotates to, which is always the same one. */
  childOf(refreshToken: string): { token: string; hash: string }
  /** Returns a token that names the oldest identity of an e-mail and cannot be forged. */
  newPasswordReset(identityId: string): { token: string; hash: string }
  /** Returns the identity of a token for a new password; undefined for any other text. */
  resetOf(token: string): string | undefined
  /** Returns the token that the first registration needs where strangers may reach the service; it is the same in every process. */
  setupToken(): string
  isSetupToken(token: string): boolean
  hashOf(refreshToken: string): string
}
