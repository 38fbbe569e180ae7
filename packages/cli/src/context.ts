import { type Environment, readEnvironment, refuseColor } from './config.ts'
import { createOutput, type Output } from './output/output.ts'
import { createVault } from './profile/credential-vault.ts'
import { openKeyring } from './profile/keyring.ts'
import { openProfileStore, type ProfileStore } from './profile/profile-store.ts'
import type { TargetFlags } from './profile/resolve-target.ts'
import { createPrompter, type Prompter } from './prompts/prompter.ts'

export interface GlobalOptions extends TargetFlags {
  readonly json?: string | boolean | undefined
  readonly quiet?: boolean | undefined
  readonly color?: boolean | undefined
}

/** The environment, options and services that every command uses. */
export interface Context {
  readonly environment: Environment
  readonly flags: TargetFlags
  readonly output: Output
  readonly prompter: Prompter
  readonly store: ProfileStore
}

export function createContext(options: GlobalOptions): Context {
  if (options.color === false) refuseColor()
  const environment = readEnvironment()
  const json = fieldsOf(options.json)
  const output = createOutput(
    { json, isQuiet: options.quiet === true, isColorWanted: options.color !== false },
    environment,
  )
  const directory = environment.configDirectory
  return {
    environment,
    flags: { baseUrl: options.baseUrl, profile: options.profile },
    output,
    prompter: createPrompter(),
    store: openProfileStore(
      directory,
      createVault({ directory, openKeyring: () => openKeyring(environment) }),
    ),
  }
}

function fieldsOf(json: string | boolean | undefined): true | readonly string[] | undefined {
  if (typeof json !== 'string') return json === true ? true : undefined
  const fields = json
    .split(',')
    .map((field) => field.trim())
    .filter(Boolean)
  return fields.length > 0 ? fields : true
}
