import { type Door, partOfDoor } from '@crmkit/core'
import type { DoorRecord } from '../../storage/kinds/doors.ts'

/** Returns a door that fails as the API shows it. */
export function shownDoor(row: DoorRecord): Door {
  const { _id, tenantId, door, inboxId, integrationId, reason, since, waiting, createdAt, updatedAt } = row
  const part = partOfDoor[door]
  return {
    _id,
    tenantId,
    door,
    part,
    inboxId,
    integrationId,
    reason,
    since: since ?? createdAt,
    waiting,
    createdAt,
    updatedAt,
  }
}
