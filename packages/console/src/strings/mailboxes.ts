/** The English texts of the screen of the mailboxes. */
export const mailboxes = {
  title: 'Mailboxes',
  providers: { google: 'Google', microsoft: 'Microsoft' },
  noAddress: 'No address yet: it becomes the one that signs in.',
  nobody:
    'Nobody is signed in. With a sign-in the inbox reads and sends its mail at Gmail or Microsoft 365, without a password.',
  signIn: (provider: string) => `Sign in with ${provider}`,
  signedIn: (user: string, provider: string, time: string) =>
    `Signed in as ${user} at ${provider} since ${time}.`,
  ended: (provider: string) =>
    `${provider} has ended this sign-in, so mail is neither read nor sent. Sign in again.`,
  unused: 'The inbox does not use this sign-in yet.',
  use: 'Read and send by it',
  again: 'Sign in again',
  signOut: 'Remove the sign-in',
  waiting: (provider: string) => `Waiting until you have granted access at ${provider}.`,
  open: (provider: string) => `Open ${provider} in a new tab`,
  cancel: 'Cancel',
  cancelled: 'The sign-in was cancelled.',
  failed: 'The sign-in did not work',
  denied: (provider: string) => `Access was not granted at ${provider}. Nothing has changed.`,
  expired: 'Ten minutes have passed without a grant. Start again.',
  notConfigured: (provider: string) =>
    `This server has no app at ${provider}. Its operator enters the client id: docs/email-providers.md says how.`,
  none: 'No inboxes here',
}
