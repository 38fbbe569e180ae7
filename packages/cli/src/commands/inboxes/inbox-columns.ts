import type { Inbox } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'

export const inboxColumns: readonly Column<Inbox>[] = [
  { title: 'Id', value: (inbox) => inbox._id },
  { title: 'Name', value: (inbox) => inbox.name, isFlexible: true },
  { title: 'Channel', value: (inbox) => inbox.channel },
  { title: 'Default', value: (inbox) => inbox.isDefault },
  { title: 'Active', value: (inbox) => inbox.isActive, isOptional: true },
  { title: 'Members', value: (inbox) => inbox.members.length, isOptional: true },
  { title: 'Auto-assign', value: ({ autoAssign }) => autoAssign.enabled, isDetail: true },
  { title: 'At most open', value: ({ autoAssign }) => autoAssign.maxOpen, isDetail: true },
  { title: 'Widget', value: ({ widget }) => widget.enabled, isDetail: true },
  { title: 'Widget key', value: ({ widget }) => widget.publicKey, isDetail: true },
  { title: 'Widget origins', value: ({ widget }) => widget.allowedOrigins, isDetail: true },
  { title: 'Identity required', value: ({ widget }) => widget.identityRequired, isDetail: true },
  { title: 'Identity secret', value: ({ widget }) => shownPrefix(widget), isDetail: true },
  {
    title: 'Old secret until',
    value: ({ widget }) => widget.previousIdentitySecretExpiresAt,
    isTime: true,
    isDetail: true,
  },
  { title: 'Created', value: (inbox) => inbox.createdAt, isTime: true, isOptional: true },
]

function shownPrefix({ identitySecretPrefix }: Inbox['widget']): string | null {
  return identitySecretPrefix === null ? null : `${identitySecretPrefix}…`
}
