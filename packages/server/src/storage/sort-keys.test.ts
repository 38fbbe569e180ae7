import { expect, it } from 'vitest'
import type { AttachmentRecord } from './kinds/attachments.ts'
import { attachmentDueAt } from './sort-keys.ts'

const row: AttachmentRecord = {
  _id: 'att_1',
  tenantId: 'ten_1',
  state: 'stored',
  filename: 'a.txt',
  contentType: 'text/plain',
  size: 1,
  sha256: '',
  messageId: null,
  erasedAt: null,
  createdAt: '2026-11-27T10:00:00.000Z',
  updatedAt: '2026-11-27T10:00:00.000Z',
}

it('a file that no message has is kept for a day, that of a visitor for an hour', () => {
  expect(attachmentDueAt(row)).toBe('2026-11-28T10:00:00.000Z')
  expect(attachmentDueAt({ ...row, widgetSessionId: 'wss_1' })).toBe('2026-11-27T11:00:00.000Z')
  expect(attachmentDueAt({ ...row, widgetSessionId: 'wss_1', messageId: 'msg_1' })).toBeNull()
})
