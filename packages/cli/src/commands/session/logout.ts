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

/** The credentials are gone from this machine in any case; a session that could not be ended is said aloud. */
async function logout(context: Context): Promise<void> {
  const { environment, flags, output, store } = context
  const { profileName, profile } = await resolveTarget(flags, environment, store)
  const kind = profile && credentialKind(profile)
  if (!profile || !kind) {
    output.say(`Profile "${profileName}" holds no credentials.`)
    return
  }
  const failure =
    kind === 'session' ? await endSession({ ...context, flags: { profile: profileName } }) : undefined
  await store.update(profileName, (current) => {
    const { session: _session, apiKey: _apiKey, keyring: _keyring, ...rest } = current ?? profile
    return rest
  })
  output.say(`Profile "${profileName}" holds no credentials any more.`)
  if (failure === undefined) return
  throw new CliError(`The server could not be told to end the session: ${failure}`, {
    code: 'SESSION_NOT_ENDED',
    hint: 'It ends by itself, or with a change of the password.',
  })
}
