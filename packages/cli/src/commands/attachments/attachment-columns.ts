import type { Attachment } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'

export const attachmentColumns: readonly Column<Attachment>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Name', value: (row) => row.filename, isFlexible: true },
  { title: 'Type', value: (row) => row.contentType },
  { title: 'Bytes', value: (row) => row.size },
]
