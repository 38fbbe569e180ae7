import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { examples, runAction } from '../run-action.ts'
import { getProfile } from './get-profile.ts'

export function defineUseProfile(profiles: CommandUnknownOpts): void {
  profiles
    .command('use')
    .argument('<profile>', 'the name of the profile')
    .summary('Use a profile when none is named')
    .description('Use a profile when neither --profile nor CRM_PROFILE names one.')
    .addHelpText('after', examples('crm profiles use ci'))
    .action((name, _, self) => runAction(self, (context) => useProfile(context, name)))
}

async function useProfile({ environment, output, store }: Context, name: string): Promise<void> {
  const { baseUrl } = await getProfile(store, name)
  await store.use(name)
  output.say(`Using profile "${name}" (${baseUrl}).`)
  if (environment.profile && environment.profile !== name) {
    output.warn(`warning: CRM_PROFILE is ${environment.profile} and takes precedence.`)
  }
}
