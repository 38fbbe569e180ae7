import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineDeleteProfile } from './delete.ts'
import { defineListProfiles } from './list.ts'
import { defineUseProfile } from './use.ts'

export function defineProfiles(profiles: CommandUnknownOpts): void {
  profiles.addHelpText(
    'after',
    `\n"crm login --profile NAME" makes one. They are kept on this machine.\n${examples('crm profiles list')}`,
  )
  defineListProfiles(profiles)
  defineUseProfile(profiles)
  defineDeleteProfile(profiles)
}
