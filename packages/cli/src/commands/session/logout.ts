import type { Command } from '@commander-js/extra-typings'
import { CliError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { credentialKind } from '../../profile/profile.ts'
import { resolveTarget } from '../../profile/resolve-target.ts'
import { examples, runAction } from '../run-action.ts'
import { endSession } from './end-session.ts'

export function defineLogout(command: Command): void {
  command
    .addHelpText('after', examples('crm logout', 'crm logout --profile ci'))
    .action((_, self) => runAction(self, logout))
}

/** Deletes the credentials from this machine in any case, and reports a session that could not be ended. */
async function logout(context: Context): Promise<void> {
  const { environment, flags, output, store } = context
  const { profileName, profile } = await resolveTarget(flags, environment, store)
  const kind = profile && credentialKind(profile)
  if (!profile || !kind) {
    output.say(`Profile "${profileName}" has no credentials.`)
    return
  }
  const failure =
    kind === 'session' ? await endSession({ ...context, flags: { profile: profileName } }) : undefined
  await store.update(profileName, (current) => {
    const { session: _session, apiKey: _apiKey, keyring: _keyring, ...rest } = current ?? profile
    return rest
  })
  output.say(`Profile "${profileName}" has no credentials any more.`)
  if (failure === undefined) return
  throw new CliError(`The session could not be ended on the server: ${failure}`, {
    code: 'SESSION_NOT_ENDED',
    hint: 'The session expires by itself. A new password ends it immediately.',
  })
}
