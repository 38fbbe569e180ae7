import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { UpdateUser } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertChange } from '../assert-change.ts'
import { clearedFields, clearOption } from '../clear-option.ts'
import { eitherFlag } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { userColumns } from './user-columns.ts'
import { userRoles } from './user-roles.ts'

interface UpdateOptions extends Omit<UpdateUser, 'isActive'> {
  readonly activate?: true | undefined
  readonly deactivate?: true | undefined
  readonly clear?: readonly string[] | undefined
}

export function defineUpdateUser(users: CommandUnknownOpts): void {
  users
    .command('update')
    .argument('<id>', 'the id of the user, or me')
    .summary("Change a user's name, role, availability or activity")
    .description('Change a user; of yourself ("me") names and availability. What is not named stays.')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .addOption(new Option('--role <role>', 'what the user may do').choices(userRoles))
    .addOption(
      new Option('--availability <state>', 'for auto-assignment').choices([
        'online',
        'away',
        'offline',
      ] as const),
    )
    .option('--activate', 'let the user in again')
    .addOption(
      new Option('--deactivate', 'end the sessions and let the user in no more').conflicts('activate'),
    )
    .addOption(clearOption(['first-name', 'last-name']))
    .addHelpText(
      'after',
      examples('crm users update usr_01J8ZQ4W7N --role agent', 'crm users update me --availability away'),
    )
    .action((id, options, self) => runAction(self, (context) => updateUser(context, id, options)))
}

async function updateUser(context: Context, id: string, options: UpdateOptions): Promise<void> {
  const { activate, deactivate, clear, role, ...own } = options
  const body = { ...own, ...clearedFields(clear) }
  const rights = { role, isActive: eitherFlag(activate, deactivate) }
  assertChange({ ...body, ...rights })
  if (id === 'me' && (role !== undefined || rights.isActive !== undefined)) {
    throw usageError('Nobody changes their own role or activity with "me": name the user by id.')
  }
  const client = await openClient(context, 'session')
  const user = await client.call((crm) =>
    id === 'me' ? crm.users.updateMe(body) : crm.users.update(id, { ...body, ...rights }),
  )
  context.output.say('Changed the user.')
  printRecord(context.output, { row: user, columns: userColumns, quiet: user._id })
}
