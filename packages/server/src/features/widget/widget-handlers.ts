import { handleCreateWidgetAttachment } from './attachments.ts'
import { handleCreateWidgetConversation } from './create-conversation.ts'
import { handleCreateWidgetMessage } from './create-message.ts'
import { handleGetWidgetSession, handleUpdateWidgetSession } from './current-session.ts'
import { handleEndWidgetSession } from './end-session.ts'
import { handleListWidgetConversations } from './list-conversations.ts'
import { handleListWidgetMessages } from './list-messages.ts'
import { handleMailWidgetTranscript } from './mail-transcript.ts'
import { handleRateWidgetConversation } from './rate-conversation.ts'
import { handleReadWidgetConversation } from './read-conversation.ts'
import { handleSetWidgetTyping } from './set-typing.ts'

/** The operations of a visitor that one tenant's store serves. */
export const widgetHandlers = {
  'widget.getSession': handleGetWidgetSession,
  'widget.updateSession': handleUpdateWidgetSession,
  'widget.endSession': handleEndWidgetSession,
  'widget.listConversations': handleListWidgetConversations,
  'widget.createConversation': handleCreateWidgetConversation,
  'widget.listMessages': handleListWidgetMessages,
  'widget.createMessage': handleCreateWidgetMessage,
  'widget.read': handleReadWidgetConversation,
  'widget.typing': handleSetWidgetTyping,
  'widget.rate': handleRateWidgetConversation,
  'widget.mailTranscript': handleMailWidgetTranscript,
  'widget.createAttachment': handleCreateWidgetAttachment,
} as const
