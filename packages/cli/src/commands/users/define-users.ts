import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineCreateUser } from './create.ts'
import { defineDeleteUser } from './delete.ts'
import { defineGetUser } from './get.ts'
import { defineInviteUser } from './invite.ts'
import { defineListUsers } from './list.ts'
import { defineUpdateUser } from './update.ts'

export function defineUsers(users: CommandUnknownOpts): void {
  users.addHelpText('after', examples('crm users list'))
  defineCreateUser(users)
  defineInviteUser(users)
  defineListUsers(users)
  defineGetUser(users)
  defineUpdateUser(users)
  defineDeleteUser(users)
}
