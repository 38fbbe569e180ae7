import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { CliError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { credentialKind } from '../../profile/profile.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { examples, runAction } from '../run-action.ts'
import { endSession } from '../session/end-session.ts'
import { getProfile } from './get-profile.ts'

interface DeleteRequest {
  readonly name: string
  readonly yes: true | undefined
}

export function defineDeleteProfile(profiles: CommandUnknownOpts): void {
  profiles
    .command('delete')
    .argument('<profile>', 'the name of the profile')
    .summary('End the session of a profile and delete it')
    .description('End the session of a profile and delete it with its credentials.')
    .addOption(yesOption())
    .addHelpText('after', examples('crm profiles delete ci --yes'))
    .action((name, { yes }, self) => runAction(self, (context) => deleteProfile(context, { name, yes })))
}

async function deleteProfile(context: Context, { name, yes }: DeleteRequest): Promise<void> {
  const { output, store } = context
  const profile = await getProfile(store, name)
  const question = `Delete profile "${name}" and its credentials?`
  await assertConfirmed(context, { question, refusal: 'Nothing was deleted.', yes })
  const failure =
    credentialKind(profile) === 'session'
      ? await endSession({ ...context, flags: { profile: name } })
      : undefined
  await store.remove(name)
  output.say(`Deleted profile "${name}".`)
  if (failure === undefined) return
  throw new CliError(`The session could not be ended on the server: ${failure}`, {
    code: 'SESSION_NOT_ENDED',
    hint: 'The session expires by itself. A new password ends it immediately.',
  })
}
