import type { ExaminedRows, Finding } from '../../ports/diagnosis.ts'
import { rowsOf } from '../../shared/rows-of.ts'
import type { DoorRecord } from '../../storage/kinds/doors.ts'
import type { Check } from './check.ts'

const namedMax = 10
const rowsMax = 10_000

async function readFailing(rows: ExaminedRows): Promise<DoorRecord[]> {
  const failing: DoorRecord[] = []
  for await (const { record } of rowsOf(rows, 'doors', { rowsMax })) {
    const door = record as unknown as DoorRecord
    if (door.failingSince !== null) failing.push(door)
  }
  return failing
}

/** The doors about which the teams were informed. Each is the matter of its team, so it is no problem of the installation. */
export const checkDoors: Check = {
  subject: 'doors',
  readsRows: true,
  async run({ database }): Promise<Finding[]> {
    const failing = database.rows === undefined ? [] : await readFailing(database.rows)
    if (failing.length === 0) return [{ outcome: 'ok', sentence: 'No inbox and no source of a team fails.' }]
    return failing.slice(0, namedMax).map(({ tenantId, door, inboxId, integrationId, since, reason }) => {
      const of = inboxId === null ? `source ${integrationId}` : `inbox ${inboxId}`
      const sentence = `The ${of} of ${tenantId} fails at its ${door} since ${since}: ${reason}`
      const mend = `Its team is informed; of ${failing.length} in all, crm doors list shows those of a tenant`
      return { outcome: 'warning', sentence, mend }
    })
  },
}
