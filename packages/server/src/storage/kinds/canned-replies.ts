import type { CannedReply } from '@crmkit/core'
import { computed, defineKindOf } from './define-kind.ts'
import { because, flag, json, nullableReference, tenantRow, text, times, word } from './fields.ts'

/** The audience of the replies that the whole team has; that of the others is their owner. */
export const wholeTeam = 'team'

const preparedText = 'a text that the team prepares before anybody writes to it'

/** A prepared reply, of the team or of one user. */
export const cannedReplies = defineKindOf<CannedReply>()('cannedReplies', {
  idPrefix: 'rep',
  fields: {
    ...tenantRow,
    shortcut: because('a word that the team types', text('plain')),
    title: because(preparedText, text('plain')),
    content: because(preparedText, text('plain')),
    contentType: word('plain'),
    inboxIds: because('ids of inboxes', json('plain', ['inb_1'])),
    isShared: flag('plain'),
    ownerId: nullableReference('users'),
    ...times,
  },
  computed: {
    audience: computed.text(({ isShared, ownerId }: CannedReply) =>
      isShared ? wholeTeam : (ownerId ?? wholeTeam),
    ),
  },
  unique: { shortcut: ['audience', 'shortcut'] },
  list: {
    filters: {
      audience: { oneOf: 'audience' },
      shortcut: { matches: 'shortcut' },
      ownerId: { matches: 'ownerId', index: 'owner', onlySet: true },
    },
    orders: { shortcut: { by: 'shortcut', isDescending: false } },
    ranges: { by: 'audience', values: [wholeTeam] },
    needsOneOf: ['audience'],
  },
  erasure: { rows: 'kept' },
  quota: { rows: 10_000 },
  retention: 'permanent',
})
