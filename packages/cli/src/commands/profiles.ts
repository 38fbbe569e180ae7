import { defineNoun } from './factories/define-noun.ts'
import { defineDeleteProfile } from './profiles/delete.ts'
import { defineListProfiles } from './profiles/list.ts'
import { defineUseProfile } from './profiles/use.ts'

export const defineProfiles = defineNoun({
  name: 'profile',
  notes: '"crm login --profile NAME" creates a profile. Profiles are stored on this machine.',
  examples: ['crm profiles list'],
  commands: [defineListProfiles, defineUseProfile, defineDeleteProfile],
})
