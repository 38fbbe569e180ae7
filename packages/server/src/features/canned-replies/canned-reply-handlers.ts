import {
  handleGetCannedReply,
  handleListCannedReplies,
  handleRenderCannedReply,
} from './read-canned-replies.ts'
import {
  handleCreateCannedReply,
  handleDeleteCannedReply,
  handleUpdateCannedReply,
} from './write-canned-replies.ts'

export const cannedReplyHandlers = {
  'cannedReplies.list': handleListCannedReplies,
  'cannedReplies.get': handleGetCannedReply,
  'cannedReplies.create': handleCreateCannedReply,
  'cannedReplies.update': handleUpdateCannedReply,
  'cannedReplies.delete': handleDeleteCannedReply,
  'cannedReplies.render': handleRenderCannedReply,
} as const
