/** Resources as the API shows them to a visitor; only the fields that the frame uses. */
export interface Conversation {
  _id: string
  subject: string | null
  status: string
  updatedAt: string
  lastMessageAt: string | null
  unreadCount: number
  rating: { score: number } | null
  agent: { name: string } | null
}

export interface Attachment {
  _id: string
  filename: string
  /** The service has read it from the bytes. */
  contentType: string
  size: number
}

/** A reply of a message, as the visitor has made it. */
export interface Choice {
  messageId: string
  choiceId: string
}

export interface Message {
  _id: string
  conversationId: string
  direction: 'inbound' | 'outbound'
  sender: { type: string; name: string | null }
  content: string
  contentType: string
  attachments: Attachment[]
  /** Replies that the message offers. */
  choices: { id: string; label: string }[]
  /** The reply that it stands for. */
  choice: Choice | null
  clientMessageId: string | null
  createdAt: string
}

export interface WidgetEvent {
  event: string
  data: unknown
}
