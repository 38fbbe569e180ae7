import { examineAttachmentPlace, openAttachmentsBeside } from '../../main/compose/databases.ts'
import type { Finding } from '../../ports/diagnosis.ts'
import type { Check } from './check.ts'

export const checkObjectStore: Check = {
  subject: 'store',
  async run({ config }) {
    if (config.attachments === undefined)
      return [
        { outcome: 'ok', sentence: 'The files are beside the rows: CRM_ATTACHMENTS names no object store.' },
      ]
    return [
      ...(await examineAttachmentPlace(config.attachments)),
      ...(await leftFindings(config.databaseUrl)),
    ]
  },
}

async function leftFindings(databaseUrl: string): Promise<Finding[]> {
  const store = await openAttachmentsBeside(databaseUrl)
  try {
    for await (const _key of store.list())
      return [
        {
          outcome: 'warning',
          sentence: 'Files of before are still beside the rows. They are read and erased there.',
          mend: 'Run crm-server attachments move; a server may run meanwhile',
        },
      ]
    return []
  } finally {
    await store.close()
  }
}
