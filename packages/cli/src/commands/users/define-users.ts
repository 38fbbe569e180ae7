import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineGetUser } from './get.ts'
import { defineListUsers } from './list.ts'
import { defineUpdateUser } from './update.ts'

export function defineUsers(users: CommandUnknownOpts): void {
  users.addHelpText('after', examples('crm users list'))
  defineListUsers(users)
  defineGetUser(users)
  defineUpdateUser(users)
}
