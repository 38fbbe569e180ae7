import { type Inbox, noReplyByMail } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { InboxRecord } from '../storage/kinds/inboxes.ts'

const pauseMs = 60_000
/** Longer than every name of a host. */
const originMax = 300

/**
 * Returns the write by which an inbox notes the page that has loaded its widget: at most one a minute, so that a busy page costs
 * nothing; pages at the same moment may each write, and the latest stays. It changes no version, so no edit of the inbox fails.
 */
export function pageWrites(
  { _id: id, widgetSeen }: InboxRecord,
  { origin, now }: { origin: string | undefined; now: string },
): Write<'inboxes'>[] {
  if (origin === undefined || !isPage(origin)) return []
  if (widgetSeen !== undefined && Date.parse(now) - Date.parse(timeOf(widgetSeen)) < pauseMs) return []
  return [{ op: 'patch', kind: 'inboxes', id, max: { widgetSeen: `${now} ${origin}` } }]
}

/** Returns the settings of a widget, also of one from before it had a team, texts and mail to its visitors. */
export function completeWidget({ widget }: Pick<InboxRecord, 'widget'>): Inbox['widget'] {
  return { showTeam: false, texts: {}, askEmail: false, replyByMail: noReplyByMail, ...widget }
}

/** Returns the page of an inbox as the API shows it. */
export function shownPage(widgetSeen: string | undefined): InboxRecord['widget']['lastSeen'] {
  if (widgetSeen === undefined) return null
  const at = timeOf(widgetSeen)
  return { origin: widgetSeen.slice(at.length + 1), at }
}

function timeOf(seen: string): string {
  return seen.slice(0, seen.indexOf(' '))
}

/** A page without an origin says `null`, and a program may say anything. */
function isPage(origin: string): boolean {
  return origin.length <= originMax && /^https?:/.test(origin) && URL.parse(origin)?.origin === origin
}
