import type { InvitedUser, User } from '@crmkit/sdk'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import type { Output } from '../../output/output.ts'
import { printRecord } from '../../output/print-record.ts'
import { userColumns } from './user-columns.ts'

type Invited = User & Pick<InvitedUser, 'inviteExpiresAt'> & { readonly inviteToken?: string }

const withExpiry: readonly Column<Invited>[] = [
  ...userColumns.filter(({ title }) => title !== 'Active' && title !== 'Availability'),
  { title: 'Invitation ends', value: (invited) => invited.inviteExpiresAt },
]
const withToken: readonly Column<Invited>[] = [
  ...withExpiry,
  { title: 'Token', value: (invited) => invited.inviteToken },
]

interface SavedInvitation {
  readonly created: InvitedUser
  readonly savedIn: string | undefined
}

/** The invite token goes to one place only: the file when there is one, else stdout. */
export function printInvitedUser(output: Output, { created, savedIn }: SavedInvitation): void {
  const { inviteToken, ...record } = created
  if (savedIn !== undefined) {
    output.say(`The invite token is in ${cleanLine(savedIn)}: bring it to the person yourself.`)
    printRecord<Invited>(output, { row: record, columns: withExpiry, quiet: record._id })
    return
  }
  output.say('The invite token is shown this once; bring it to the person yourself:')
  printRecord<Invited>(output, { row: created, columns: withToken, quiet: inviteToken })
}
