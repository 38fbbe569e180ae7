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

export interface Message {
  _id: string
  conversationId: string
  direction: 'inbound' | 'outbound'
  sender: { type: string; name: string | null }
  content: string
  contentType: string
  attachments: Attachment[]
  clientMessageId: string | null
  createdAt: string
}

export interface WidgetEvent {
  event: string
  data: unknown
}
