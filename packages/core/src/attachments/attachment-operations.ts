import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf } from '../contract/envelopes.ts'
import { attachment, attachmentBytesMax } from './attachment.ts'

const path = '/api/v1/attachments'

export const createAttachment = defineOperation({
  id: 'attachments.create',
  method: 'POST',
  path,
  auth: sessionOrKey('write:conversations'),
  summary: 'Upload a file, to be sent with a message',
  description:
    'One file of at most 10 MB. Its type is read from its bytes, whatever was declared. ' +
    'Name its id in `attachments` of a message within 24 hours: what no message carries is removed then.',
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
  description: 'Answers the bytes themselves, always as a download.',
  request: { params: z.object({ id: z.string() }) },
  download: ['application/octet-stream', '*/*'],
  status: 200,
  response: z.unknown(),
})
