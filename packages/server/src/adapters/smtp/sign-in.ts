import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailServer } from '../../ports/mail-sender.ts'
import { ServerRefused } from '../../shared/mail-destinations.ts'

/** Signs in to a server that asks for it: with a password, or with an access token (XOAUTH2). */
export async function signIn(
  connection: SMTPConnection,
  { user, password, accessToken }: Pick<MailServer, 'user' | 'password' | 'accessToken'>,
): Promise<void> {
  if (user === null) return
  const auth = accessToken === undefined ? passwordOf(user, password) : tokenOf(user, accessToken)
  await new Promise<void>((resolve, reject) => {
    connection.login(auth as Parameters<SMTPConnection['login']>[0], (error) =>
      error ? reject(error) : resolve(),
    )
  })
}

function passwordOf(user: string, password: string | null) {
  if (password === null) throw new ServerRefused('The password of the server is not set')
  return { user, pass: password }
}

/** The form of https://developers.google.com/workspace/gmail/imap/xoauth2-protocol, which Microsoft takes too. */
function tokenOf(user: string, accessToken: string) {
  return {
    user,
    oauth2: {
      getToken: (isRepeated: boolean, done: (error: Error | null, token?: string) => void) =>
        // The library asks once more after a refusal; no other token is known.
        isRepeated ? done(refused()) : done(null, accessToken),
      buildXOAuth2Token: (token: string) =>
        Buffer.from(`user=${user}\u0001auth=Bearer ${token}\u0001\u0001`).toString('base64'),
    },
  }
}

function refused(): Error {
  return Object.assign(new Error('The server refuses the access token'), { responseCode: 535 })
}
