import type { ExaminedRows, Finding } from '../../ports/diagnosis.ts'
import { rowsOf } from '../../shared/rows-of.ts'
import type { WidgetSession } from '../../storage/kinds/widget-sessions.ts'
import type { Check } from './check.ts'

/** As many anonymous visitors as one address may be in an hour without a pause. */
const visitorsMin = 20
const visitorsMax = 10_000

/** Returns the marks of the addresses of anonymous visitors: null is an address of the internet. */
async function readMarks(rows: ExaminedRows): Promise<(number | null)[]> {
  const marks: (number | null)[] = []
  for await (const { record } of rowsOf(rows, 'widgetSessions')) {
    const { addressMark } = record as unknown as WidgetSession
    if (addressMark !== undefined) marks.push(addressMark)
    if (marks.length === visitorsMax) break
  }
  return marks
}

/** Whether the addresses of visitors are those of a proxy, which then share one limit. */
export const checkVisitors: Check = {
  subject: 'visitors',
  readsRows: true,
  async run({ config, database }): Promise<Finding[]> {
    const marks = database.rows === undefined ? [] : await readMarks(database.rows)
    const [first = null] = marks
    const isOne = first !== null && marks.every((mark) => mark === first)
    if (!isOne || marks.length < visitorsMin)
      return [{ outcome: 'ok', sentence: 'No proxy hides the addresses of the visitors.' }]
    const sentence = `All ${marks.length} anonymous visitors of the chat widget that are stored came from one private address, so they share the limits of one visitor.`
    const { trustedProxies } = config
    const now = typeof trustedProxies === 'number' ? `it is ${trustedProxies}` : 'its networks leave one out'
    const mend = `Set CRM_TRUST_PROXY to the number of proxies in front of the server; or to their networks; ${now}`
    return [{ outcome: 'warning', sentence, mend }]
  },
}
