import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineCreateKey } from './create.ts'
import { defineListKeys } from './list.ts'
import { defineRevokeKey } from './revoke.ts'

export function defineKeys(keys: CommandUnknownOpts): void {
  keys.addHelpText(
    'after',
    `\nAPI keys are managed by a signed-in admin or owner.\n${examples('crm keys list')}`,
  )
  defineCreateKey(keys)
  defineListKeys(keys)
  defineRevokeKey(keys)
}
