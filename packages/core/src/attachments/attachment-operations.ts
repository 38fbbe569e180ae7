import { z } from 'zod'
import { defineOperation, none, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { attachment, attachmentBytesMax } from './attachment.ts'

const path = '/api/v1/attachments'

export const createAttachment = defineOperation({
  id: 'attachments.create',
  method: 'POST',
  path,
  auth: sessionOrKey('write:conversations'),
  audit: none('a file that nothing uses is removed after a day: the message with it names its sender'),
  summary: 'Upload a file for a message',
  description:
    'One file of at most 10 MB. The service detects its type from the bytes and ignores the declared one. ' +
    'Put its id into `attachments` of a message or a draft within 24 hours: a file without one is then deleted.',
  upload: { field: 'file', bytesMax: attachmentBytesMax },
  status: 201,
  response: dataOf(attachment),
})

export const getAttachment = defineOperation({
  id: 'attachments.get',
  method: 'GET',
  path: `${path}/{id}`,
  auth: sessionOrKey('read:conversations'),
  summary: 'Download a file',
  description: 'Returns the bytes, always as a download.',
  request: { params: byId('attachment') },
  download: ['application/octet-stream', '*/*'],
  status: 200,
  response: z.unknown(),
})
