import { z } from 'zod'
import { defineOperation, none, session, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { message } from '../messages/message.ts'
import { replyConflictHeaders } from '../messages/message-operations.ts'
import { byId, ownId } from '../shared/common-fields.ts'
import { pageQuery } from '../shared/page.ts'
import { draft, ownDraft, ownDraftStates, saveDraftBody, sendDraftBody } from './draft.ts'

const path = '/api/v1/conversations/{id}'
const byConversation = byId('conversation')
const byDraft = z.object({ id: ownId('conversation'), draftId: ownId('draft') })

export const getDraft = defineOperation({
  id: 'drafts.get',
  method: 'GET',
  path: `${path}/draft`,
  auth: sessionOrKey('read:conversations'),
  summary: 'Get the caller’s own draft in a conversation',
  description: '`data` is null where the caller has none.',
  request: { params: byConversation },
  status: 200,
  response: dataOf(draft.nullable().describe('The draft; null where the caller has none.')),
  isOutsidePlan: true,
})

export const saveDraft = defineOperation({
  id: 'drafts.save',
  method: 'PUT',
  path: `${path}/draft`,
  auth: sessionOrKey('write:conversations'),
  audit: none('a draft is work in progress of one author'),
  summary: 'Create or replace the caller’s own draft in a conversation',
  description:
    'Fields that the body leaves out get their defaults; `basedOn` stays. With another `expectedVersion` than that of the draft it is a `CONFLICT`, whose `details.draft` is the draft, or null. ' +
    'With `sendAt` the service sends the draft in the name of its author.',
  request: { params: byConversation, body: saveDraftBody },
  status: 200,
  response: dataOf(draft),
  isOutsidePlan: true,
})

export const discardDraft = defineOperation({
  id: 'drafts.discard',
  method: 'DELETE',
  path: `${path}/draft`,
  auth: sessionOrKey('write:conversations'),
  audit: none('a draft is work in progress of one author'),
  summary: 'Delete the caller’s own draft in a conversation, if there is one',
  request: { params: byConversation },
  status: 200,
  response: messageReply,
  isOutsidePlan: true,
})

export const listDrafts = defineOperation({
  id: 'drafts.list',
  method: 'GET',
  path: `${path}/drafts`,
  auth: sessionOrKey('read:conversations'),
  summary: 'List the drafts of all authors in a conversation, oldest first',
  request: { params: byConversation, query: z.object({ ...pageQuery(20) }) },
  status: 200,
  response: listOf(draft),
  isOutsidePlan: true,
})

export const listOwnDrafts = defineOperation({
  id: 'drafts.listOwn',
  method: 'GET',
  path: '/api/v1/users/me/drafts',
  auth: session(),
  summary: 'List the own drafts that were not sent or are planned, the last changed first',
  description:
    '`unsent` lists drafts that were to be sent and were not: `sendError` says why. `planned` lists those with `sendAt`.',
  request: {
    query: z.object({
      ...pageQuery(20),
      state: z.enum(ownDraftStates).default('unsent').describe('`unsent` or `planned`.'),
    }),
  },
  status: 200,
  response: listOf(ownDraft),
  isOutsidePlan: true,
})

export const deleteDraft = defineOperation({
  id: 'drafts.delete',
  method: 'DELETE',
  path: `${path}/drafts/{draftId}`,
  auth: sessionOrKey('write:conversations'),
  audit: none('a draft is work in progress, which nobody outside the team has seen'),
  summary: 'Delete a draft: one’s own, one of an API key, or as an admin any',
  request: { params: byDraft },
  status: 200,
  response: messageReply,
  isOutsidePlan: true,
})

export const sendDraft = defineOperation({
  id: 'drafts.send',
  method: 'POST',
  path: `${path}/drafts/{draftId}/send`,
  auth: sessionOrKey('write:conversations'),
  audit: none('the message that is sent names its sender and its time'),
  summary: 'Send a draft of any author, in the caller’s name',
  description:
    'The draft becomes a message, whose `draftedBy` names the author when it is somebody else, or the author of the draft that it is `basedOn`. A repeated request returns the same message with status 200. ' +
    'With `If-Conversation-Seq` a reply is refused when somebody else has answered in the meantime. With another `expectedVersion` than that of the draft it is a `CONFLICT`, whose `details.draft` is the draft. ' +
    'When the way that the reply leaves, its sender or the address of the customer is another one than at the last save, it is a `CONFLICT` with `details.reason` `RECIPIENT_CHANGED` and both as `details.basis` and `details.now`.',
  request: { params: byDraft, body: sendDraftBody, headers: replyConflictHeaders },
  status: 201,
  statusOfRepeat: 200,
  response: dataOf(message),
  emits: ['message.sent', 'note.created', 'mention.created'],
})
