import { Option } from '@commander-js/extra-typings'
import type { EventsToken, Inbox, InboxWithInboundToken, InboxWithWidgetSecret } from '@crmkit/sdk'
import { inboxes } from '../operations/inboxes.gen.ts'
import type { Column } from '../output/column.ts'
import type { SecretKind } from '../output/print-secret.ts'
import type { NounCommand } from './factories/add-command.ts'
import { createCommand } from './factories/create-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { renewSecretCommand } from './factories/secret-commands.ts'
import { updateCommand } from './factories/update-command.ts'
import { changedInbox } from './inboxes/changed-inbox.ts'
import { setEmail } from './inboxes/email.ts'
import { releaseMail, setDkimKey, showDns, testEmail, verifyDomain } from './inboxes/email-checks.ts'
import { signInToMailbox, signOutOfMailbox } from './inboxes/email-sign-in.ts'
import { addInboxSettings, inboxFields, memberIds, settingsBody } from './inboxes/inbox-settings.ts'
import { defineSnippet } from './inboxes/snippet.ts'
import { addToList } from './option-values.ts'

const columns: readonly Column<Inbox>[] = [
  { title: 'Id', value: (inbox) => inbox._id },
  { title: 'Name', value: (inbox) => inbox.name, isFlexible: true },
  { title: 'Channel', value: (inbox) => inbox.channel },
  { title: 'Default', value: (inbox) => inbox.isDefault },
  { title: 'Active', value: (inbox) => inbox.isActive, isOptional: true },
  { title: 'Members', value: (inbox) => inbox.members.length, isOptional: true },
  { title: 'Auto-assign', value: ({ autoAssign }) => autoAssign.enabled, isDetail: true },
  { title: 'Only online', value: ({ autoAssign }) => autoAssign.onlyOnline, isDetail: true },
  { title: 'Maximum open', value: ({ autoAssign }) => autoAssign.maxOpen, isDetail: true },
  { title: 'Widget', value: ({ widget }) => widget.enabled, isDetail: true },
  { title: 'Widget key', value: ({ widget }) => widget.publicKey, isDetail: true },
  { title: 'Widget origins', value: ({ widget }) => widget.allowedOrigins, isDetail: true },
  { title: 'Identity required', value: ({ widget }) => widget.identityRequired, isDetail: true },
  { title: 'Shows team', value: ({ widget }) => widget.showTeam, isDetail: true },
  { title: 'Own texts', value: ({ widget }) => Object.keys(widget.texts ?? {}), isDetail: true },
  { title: 'Asks for an e-mail', value: ({ widget }) => widget.askEmail, isDetail: true },
  { title: 'Mails replies', value: ({ widget }) => widget.replyByMail.enabled, isDetail: true },
  { title: 'Mails replies by', value: ({ widget }) => widget.replyByMail.inboxId, isDetail: true },
  { title: 'Identity secret', value: ({ widget }) => shownPrefix(widget), isDetail: true },
  {
    title: 'Old secret until',
    value: ({ widget }) => widget.previousIdentitySecretExpiresAt,
    isDeadline: true,
    isDetail: true,
  },
  {
    title: 'Seen on',
    value: ({ widget: { lastSeen } }) => (lastSeen === null ? null : `${lastSeen.origin}, ${lastSeen.at}`),
    isDetail: true,
  },
  { title: 'Created', value: (inbox) => inbox.createdAt, isTime: true, isOptional: true },
]

function shownPrefix({ identitySecretPrefix }: Inbox['widget']): string | null {
  return identitySecretPrefix === null ? null : `${identitySecretPrefix}…`
}

const identitySecret: SecretKind<InboxWithWidgetSecret> = {
  field: 'secret',
  name: 'identity secret',
  title: 'Secret',
  columns,
  columnsBeside: columns.filter(({ title }) => title !== 'Identity secret'),
}

const inboundToken: SecretKind<InboxWithInboundToken> = {
  field: 'inboundToken',
  name: 'inbound token',
  title: 'Token',
  columns,
  columnsBeside: columns,
}

const eventsTokenColumns: readonly Column<EventsToken>[] = [{ title: 'Id', value: ({ _id }) => _id }]

const eventsToken: SecretKind<EventsToken> = {
  field: 'eventsToken',
  name: 'token for events',
  title: 'Token',
  columns: eventsTokenColumns,
  columnsBeside: eventsTokenColumns,
}

const addEmailCommands = defineNoun({
  name: 'inbox',
  prefix: 'inb',
  examples: ['crm inboxes email dns inb_01J8ZQ4W7N --quiet'],
  commands: [
    setEmail,
    signInToMailbox,
    signOutOfMailbox,
    testEmail,
    showDns,
    verifyDomain,
    releaseMail,
    setDkimKey,
    renewSecretCommand({
      operation: inboxes.makeInboundToken,
      name: 'token',
      summary: 'Make the token of the address that receives mail over HTTP; it is shown once',
      description:
        'Make the token of the address that receives mail over HTTP; it is shown once. Let your mail provider post to /api/v1/inbound/email/TOKEN. An earlier token stays valid until the overlap ends.',
      notes: 'Without an overlap mail to the old token is refused immediately, so the command asks first.',
      examples: [
        'crm inboxes email token inb_01J8ZQ4W7N --token-file inbound.token',
        'crm inboxes email token inb_01J8ZQ4W7N --overlap 0s --yes --quiet',
      ],
      file: 'token',
      secret: inboundToken,
      overlap: {
        description: 'how long the old token stays valid, up to 7d; default 24h',
        question: (id) => `End the old token of ${id} immediately?`,
      },
    }),
    renewSecretCommand({
      operation: inboxes.makeEventsToken,
      name: 'events-token',
      summary: 'Make the token of the address that takes events of a mail provider; it is shown once',
      description:
        'Make the token of the address that takes events of a mail provider; it is shown once. Let the provider post deliveries, bounces and complaints to /api/v1/inbound/events/TOKEN. An earlier token stays valid until the overlap ends.',
      notes: 'Without an overlap events to the old token are refused immediately, so the command asks first.',
      examples: [
        'crm inboxes email events-token inb_01J8ZQ4W7N --token-file events.token',
        'crm inboxes email events-token inb_01J8ZQ4W7N --overlap 0s --yes --quiet',
      ],
      file: 'token',
      secret: eventsToken,
      overlap: {
        description: 'how long the old token stays valid, up to 7d; default 24h',
        question: (id) => `End the old token of ${id} immediately?`,
      },
    }),
  ],
})

/** `crm inboxes email`: the e-mail of an inbox, in both directions. */
const defineEmail: NounCommand = (inboxes) => {
  addEmailCommands(
    inboxes
      .command('email')
      .summary('Set up, test and secure the e-mail of an inbox')
      .description('Set up, test and secure the e-mail of an inbox. Needs a signed-in admin.')
      .helpCommand(false),
  )
}

export const defineInboxes = defineNoun({
  name: 'inbox',
  prefix: 'inb',
  columns,
  examples: ['crm inboxes list'],
  commands: [
    listCommand({
      operation: inboxes.list,
      examples: ['crm inboxes list', 'crm inboxes list --json _id,name,isDefault'],
    }),
    getCommand({ operation: inboxes.get }),
    createCommand({
      operation: inboxes.create,
      examples: [
        'crm inboxes create --name Sales --channel chat --members me --auto-assign on --max-open 5',
        'crm inboxes create --name Web --channel chat --widget on --widget-origins https://www.example.com',
      ],
      fields: { ...inboxFields, isActive: false },
      options: addInboxSettings,
      send: async ({ crm, credential, input: { name, members, ...settings } }) => {
        const ids = members && (await memberIds({ crm, credential }, members))
        return crm.inboxes.create({ ...settingsBody(settings), name, members: ids })
      },
    }),
    updateCommand({
      operation: inboxes.update,
      notes:
        'The command reads members, auto-assign and the widget first: of two updates at the same time one may be lost.',
      examples: [
        'crm inboxes update inb_01J8ZQ4W7N --name Sales --add-members usr_01J8ZQ4W7N --auto-assign on',
        'crm inboxes update inb_01J8ZQ4W7N --widget on --widget-color "#3457d5" --clear widget-greeting',
      ],
      fields: {
        ...inboxFields,
        isActive: {
          pair: [
            ['activate', 'activate the inbox again'],
            ['deactivate', 'stop using the inbox'],
          ],
        },
      },
      options: (command) =>
        addInboxSettings(command)
          .addOption(
            new Option('--add-members <list>', 'ids, e-mails or me')
              .argParser(addToList)
              .conflicts('members'),
          )
          .addOption(
            new Option('--remove-members <list>', 'ids, e-mails or me')
              .argParser(addToList)
              .conflicts('members'),
          ),
      clear: ['members', 'max-open', 'widget-origins', 'widget-greeting', 'widget-color', 'widget-text'],
      send: async ({ crm, credential, id, input }) => {
        const current = await crm.inboxes.get(id)
        return crm.inboxes.update(id, await changedInbox({ crm, credential }, input, current))
      },
    }),
    deleteCommand({
      operation: inboxes.delete,
      question: (shown) => `Delete ${shown} with its settings?`,
      summary: 'Delete an inbox',
      description: 'Delete an inbox that is not the default and has no conversations.',
      read: inboxes.get,
      nameOf: ({ name }) => name,
    }),
    renewSecretCommand({
      operation: inboxes.makeWidgetSecret,
      name: 'widget-secret',
      summary: 'Make the identity secret of the widget; it is shown once',
      description:
        'Make the secret that the server of your page identifies its visitors with; it is shown once. An earlier secret stays valid until the overlap ends.',
      notes:
        'Without an overlap visitors with the old secret are refused immediately, so the command asks first.',
      examples: [
        'crm inboxes widget-secret inb_01J8ZQ4W7N --secret-file widget.secret',
        'crm inboxes widget-secret inb_01J8ZQ4W7N --overlap 0s --yes --quiet',
      ],
      file: 'secret',
      secret: identitySecret,
      overlap: {
        description: 'how long the old secret stays valid, up to 7d; default 24h',
        question: (id) => `End the old secret of ${id} immediately?`,
      },
    }),
    defineEmail,
    defineSnippet,
  ],
})
