import type { StoredMessage } from '@crmkit/core'
import { plainSearchText } from '../search-text.ts'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  json,
  nullableMoment,
  nullableText,
  nullableWord,
  optional,
  reference,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

export const messages = defineKindOf<StoredMessage>()('messages', {
  idPrefix: 'msg',
  fields: {
    ...tenantRow,
    conversationId: reference('conversations'),
    type: word('plain'),
    direction: word('plain'),
    sender: json('both'),
    content: text('both'),
    contentType: word('plain'),
    attachments: json('both'),
    status: word('plain'),
    clientMessageId: nullableText('customer'),
    externalId: nullableText('customer'),
    email: optional(json('both')),
    recipients: optional(json('both')),
    via: optional(nullableWord('plain')),
    mentions: optional(json('id', ['usr_1'])),
    draftedBy: optional(json('user')),
    choices: optional(json('both', [{ id: 'yes', label: 'Yes, please' }])),
    choice: optional(json('customer', { messageId: 'msg_1', choiceId: 'yes' })),
    chosenIn: optional(because('an id of a message', nullableText('internal'))),
    sentAt: optional(nullableMoment('plain')),
    ...times,
  },
  computed: {
    authorCustomerId: computed.nullableText(({ sender }: StoredMessage) =>
      sender.type === 'customer' ? sender._id : null,
    ),
    authorUserId: computed.nullableText(({ sender }: StoredMessage) =>
      sender.type === 'user' ? sender._id : null,
    ),
    drafterUserId: computed.nullableText(({ draftedBy }: StoredMessage) =>
      draftedBy?.type === 'user' ? draftedBy._id : null,
    ),
    /** Of an imported message: mail that names it joins its conversation. Other mail is found by `inboundMails` or a signature. */
    rfcMessageId: computed.nullableText(({ externalId, email }: StoredMessage) =>
      externalId === null ? null : (email?.messageId ?? null),
    ),
  },
  // The customer who wrote it owns it too, whichever conversation it is in.
  owners: { conversations: 'conversationId', customers: 'authorCustomerId' },
  unique: { clientMessageId: ['conversationId', 'clientMessageId'] },
  list: {
    filters: {
      conversationId: { matches: 'conversationId', index: 'created' },
      /** A conversation and those that were merged into it. */
      conversationIds: { oneOf: 'conversationId', index: 'created' },
      authorId: { matches: 'authorCustomerId', index: 'author', onlySet: true },
      userId: { matches: 'authorUserId', index: 'user', onlySet: true },
      drafterId: { matches: 'drafterUserId', index: 'drafter', onlySet: true },
      rfcMessageId: { matches: 'rfcMessageId', index: 'rfcMessage', onlySet: true },
    },
    orders: {
      createdAt: { by: 'createdAt', isDescending: false },
      '-createdAt': { by: 'createdAt', isDescending: true },
    },
    needsOneOf: ['conversationId', 'conversationIds', 'authorId', 'userId', 'drafterId', 'rfcMessageId'],
  },
  searchText: ({ content }) => plainSearchText(content),
  searchedThrough: 'conversationId',
  externalIds: ({ externalId }) => (externalId === null ? [] : [externalId]),
  erasure: { rows: 'deleted', task: 'eraseMessage' },
  quota: { rows: 50_000_000 },
  retention: 'permanent',
})
