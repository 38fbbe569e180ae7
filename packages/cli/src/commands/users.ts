import type { InvitedUser, Mention, User } from '@crmkit/sdk'
import { usageError } from '../cli-error.ts'
import { users } from '../operations/users.gen.ts'
import type { Column } from '../output/column.ts'
import { printRecord } from '../output/print-record.ts'
import type { SecretKind } from '../output/print-secret.ts'
import { withColumns } from './factories/add-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { resultCommand } from './factories/result-command.ts'
import { createSecretCommand, renewSecretCommand } from './factories/secret-commands.ts'
import { updateCommand } from './factories/update-command.ts'
import { futureMoment } from './option-values.ts'

const columns: readonly Column<User>[] = [
  { title: 'Id', value: (user) => user._id },
  { title: 'E-mail', value: (user) => user.email, isFlexible: true },
  {
    title: 'Name',
    value: (user) => [user.firstName, user.lastName].filter(Boolean).join(' '),
    isFlexible: true,
  },
  { title: 'Role', value: (user) => user.role },
  { title: 'Active', value: (user) => user.isActive },
  {
    title: 'Availability',
    value: (user) => user.availability,
    // A person who has not accepted the invitation, or was deactivated, is not there.
    textForPeople: (user) => (user.isActive ? user.availability : null),
    isOptional: true,
  },
  { title: 'Invited until', value: (user) => user.inviteExpiresAt, isTime: true, isDetail: true },
  { title: 'Set', value: (user) => user.availabilityMode, isDetail: true },
  { title: 'Set until', value: (user) => user.availabilityUntil, isTime: true, isDetail: true },
  { title: 'Created', value: (user) => user.createdAt, isTime: true, isOptional: true },
]

const mentionColumns: readonly Column<Mention>[] = [
  { title: 'Id', value: (mention) => mention._id, isDetail: true },
  { title: 'Conversation', value: (mention) => mention.conversationId },
  { title: 'Note', value: (mention) => mention.messageId, isOptional: true },
  { title: 'By', value: (mention) => mention.by },
  { title: 'At', value: (mention) => mention.at, isTime: true },
  { title: 'Read', value: (mention) => mention.readAt, isTime: true },
  { title: 'Text', value: (mention) => mention.note?.content ?? null, isFlexible: true, isOptional: true },
]

const inviteToken: SecretKind<InvitedUser> = {
  field: 'inviteToken',
  name: 'invite token',
  title: 'Token',
  advice: 'give it to the person yourself',
  columns: [
    ...columns.filter(
      ({ title }) => !['Active', 'Availability', 'Invited until', 'Set', 'Set until'].includes(title),
    ),
    { title: 'Invitation ends', value: (invited) => invited.inviteExpiresAt, isDeadline: true },
  ],
}

const idOrMe = 'the id of the user, or me'

export const defineUsers = defineNoun({
  name: 'user',
  prefix: 'usr',
  columns,
  examples: ['crm users list'],
  commands: [
    createSecretCommand({
      operation: users.create,
      summary: 'Invite a person; the invite token is shown once',
      description:
        'Invite a person into the tenant. The invite token is shown once; with --quiet it is alone on stdout. The person accepts it within 72 hours with "crm accept-invite".',
      examples: [
        'crm users create --email grace@acme.test --role agent --token-file grace.token',
        'token=$(crm users create --email grace@acme.test --role viewer --quiet)',
      ],
      file: 'token',
      secret: inviteToken,
      fields: { role: 'the rights of the user' },
      ask: { email: 'Their e-mail', role: 'What may they do?' },
    }),
    renewSecretCommand({
      operation: users.inviteAgain,
      name: 'invite',
      summary: 'Make a new invite token; it is shown once',
      description:
        'Make a new invite token for a user who has not accepted yet; it is shown once, and the previous token becomes invalid. To invite a new person, use "crm users create".',
      examples: ['crm users invite usr_01J8ZQ4W7N --token-file grace.token'],
      file: 'token',
      secret: inviteToken,
    }),
    listCommand({
      operation: users.list,
      examples: ['crm users list', 'crm users list --all --json _id,email,role'],
    }),
    getCommand({
      operation: users.get,
      examples: ['crm users get usr_01J8ZQ4W7N', 'crm users get me --json email,role'],
      id: idOrMe,
      need: (id) => (id === 'me' ? 'session' : 'any'),
      send: ({ crm, id }) => (id === 'me' ? crm.users.me() : crm.users.get(id)),
    }),
    updateCommand({
      operation: users.update,
      summary: "Change a user's name, role, availability or activity",
      description:
        'Change a user. With "me", you can change your own name and availability. Fields that you do not name stay as they are. Without an availability, open consoles decide whether a user is online.',
      examples: [
        'crm users update usr_01J8ZQ4W7N --role agent',
        'crm users update me --availability away --availability-until 2h',
        'crm users update me --clear availability',
      ],
      id: idOrMe,
      fields: {
        role: 'the rights of the user',
        availability: { text: 'for assignment and colleagues', value: 'state' },
        availabilityUntil: false,
        isActive: {
          pair: [
            ['activate', 'let the user sign in again'],
            ['deactivate', 'end the sessions and refuse further sign-ins'],
          ],
        },
      },
      clear: ['first-name', 'last-name', 'availability'],
      options: (command) =>
        command.option(
          '--availability-until <time>',
          'when it is automatic again: 2h or a time, within 7 days',
          futureMoment,
        ),
      inputOf: (body, id) => {
        if (id !== 'me' || (body.role === undefined && body.isActive === undefined)) return body
        throw usageError('You cannot change your own role or activity with "me": name the user by id.')
      },
      send: ({ crm, id, input }) => {
        if (id !== 'me') return crm.users.update(id, input)
        const { role: _role, isActive: _isActive, ...own } = input
        return crm.users.updateMe(own)
      },
    }),
    withColumns(
      mentionColumns,
      listCommand({
        operation: users.listMentions,
        name: 'mentions',
        summary: 'List the notes that mention you',
        examples: ['crm users mentions', 'crm users mentions --unread'],
        rowName: 'mention',
      }),
    ),
    resultCommand({
      operation: users.setActivity,
      name: 'activity',
      description: 'Say that you are at work, or are not, where your availability is automatic.',
      examples: ['crm users activity --state idle'],
      hasId: false,
      print: (output, row) => printRecord(output, { row, columns, quiet: row.availability }),
    }),
    deleteCommand({
      operation: users.delete,
      summary: 'Remove a user from the tenant',
      description:
        'Remove a user from the tenant: the sessions end immediately, open conversations are unassigned, and messages stay. To lock a user out for a time, use "crm users update ID --deactivate".',
      question: (shown) =>
        `Remove ${shown}? Their sessions end, and their open conversations are unassigned.`,
      read: users.get,
      nameOf: ({ email }) => email,
    }),
  ],
})
