/**
 * Returns the `sub` of a userToken, to see whether the same person is identified again. The server checks the signature;
 * the frame trusts nothing in it.
 */
export function subjectOf(userToken: string): string | undefined {
  try {
    const [, claims = ''] = userToken.split('.')
    const bytes = Uint8Array.from(atob(claims.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    )
    const { sub } = JSON.parse(new TextDecoder().decode(bytes))
    return typeof sub === 'string' ? sub : undefined
  } catch {
    return undefined
  }
}
