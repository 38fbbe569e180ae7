import type { InvitedUser } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'
import type { Output } from '../../output/output.ts'
import { printSecret } from '../../output/print-secret.ts'
import type { SavedSecret } from '../../prompts/secret-file.ts'
import { userColumns } from './user-columns.ts'

type Invited = Omit<InvitedUser, 'inviteToken'>

const columns: readonly Column<Invited>[] = [
  ...userColumns.filter(({ title }) => title !== 'Active' && title !== 'Availability'),
  { title: 'Invitation ends', value: (invited) => invited.inviteExpiresAt },
]

export function printInvitedUser(output: Output, { created, savedIn }: SavedSecret<InvitedUser>): void {
  const { inviteToken, ...row } = created
  const naming = { name: 'invite token', title: 'Token', advice: 'bring it to the person yourself' }
  printSecret<Invited>(output, { created, row, secret: inviteToken, savedIn, ...naming, columns })
}
