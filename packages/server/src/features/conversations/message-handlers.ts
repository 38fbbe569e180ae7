import { handleCreateMessage } from './create-message.ts'
import { handleDeleteMessage } from './delete-message.ts'
import { handleListOwnMentions } from './mentions.ts'
import { handleGetMessage, handleListMailAttempts, handleListMessages } from './read-messages.ts'
import { handleSendMessageAgain } from './send-message-again.ts'
import { handleUpdateMessage } from './update-message.ts'

export const messageHandlers = {
  'messages.list': handleListMessages,
  'messages.create': handleCreateMessage,
  'messages.get': handleGetMessage,
  'messages.update': handleUpdateMessage,
  'messages.attempts': handleListMailAttempts,
  'messages.sendAgain': handleSendMessageAgain,
  'messages.delete': handleDeleteMessage,
  'users.listMentions': handleListOwnMentions,
} as const
