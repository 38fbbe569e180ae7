export const conversationStatuses = ['open', 'closed', 'pending', 'snoozed'] as const
export type ConversationStatus = (typeof conversationStatuses)[number]
export const priorities = ['low', 'medium', 'high', 'urgent'] as const
export const channels = [
  'email',
  'chat',
  'phone',
  'whatsapp',
  'instagram',
  'twitter',
  'facebook',
  'sms',
] as const
export const conversationSources = ['widget', 'phone', 'api', 'email'] as const
