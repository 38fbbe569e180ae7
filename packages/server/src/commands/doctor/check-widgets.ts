import type { ExaminedRows, Finding } from '../../ports/diagnosis.ts'
import { rowsOf } from '../../shared/rows-of.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { Check } from './check.ts'

const namedMax = 10

/** Returns the ids of the inboxes whose chat widget every page may embed. */
async function findOpenWidgets(rows: ExaminedRows): Promise<string[]> {
  const open: string[] = []
  for await (const { id, record } of rowsOf(rows, 'inboxes')) {
    const { widget } = record as unknown as InboxRecord
    if (widget.enabled && widget.allowedOrigins.length === 0) open.push(id)
  }
  return open
}

export const checkWidgets: Check = {
  subject: 'widgets',
  readsRows: true,
  async run({ database }): Promise<Finding[]> {
    const open = database.rows === undefined ? [] : await findOpenWidgets(database.rows)
    if (open.length === 0)
      return [{ outcome: 'ok', sentence: 'Every chat widget names the pages that may embed it.' }]
    const named = `${open.slice(0, namedMax).join(', ')}${open.length > namedMax ? ', …' : ''}`
    const sentence = `Every page of the web may embed the chat widget of ${open.length} inboxes: ${named}.`
    const mend = 'Name their origins: PUT /api/v1/inboxes/ID with widget.allowedOrigins'
    return [{ outcome: 'warning', sentence, mend }]
  },
}
