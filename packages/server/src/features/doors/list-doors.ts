import type { listDoors } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'
import { shownDoor } from './shown-door.ts'

export const handleListDoors: Handler<typeof listDoors> = async ({ store }, { query }) => {
  const page = await store.doors.list({ ...query, state: 'failing' })
  return { reply: pageReply({ ...page, rows: page.rows.map(shownDoor) }, query) }
}
