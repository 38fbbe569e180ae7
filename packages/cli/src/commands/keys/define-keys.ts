import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineCreateKey } from './create.ts'
import { defineDeleteKey } from './delete.ts'
import { defineGetKey } from './get.ts'
import { defineListKeys } from './list.ts'
import { defineRevokeKey } from './revoke.ts'
import { defineRotateKey } from './rotate.ts'
import { defineUpdateKey } from './update.ts'
import { defineKeyUsage } from './usage.ts'

export function defineKeys(keys: CommandUnknownOpts): void {
  keys.addHelpText(
    'after',
    `\nAPI keys are managed by a signed-in admin or owner.\n${examples('crm keys list')}`,
  )
  defineCreateKey(keys)
  defineListKeys(keys)
  defineGetKey(keys)
  defineUpdateKey(keys)
  defineKeyUsage(keys)
  defineRotateKey(keys)
  defineRevokeKey(keys)
  defineDeleteKey(keys)
}
