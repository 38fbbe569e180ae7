import type { Activity, Message } from '@crmkit/sdk'

/** Changes that one person has made within a minute, which one line names. */
export interface ActivityGroup {
  /** Oldest first. */
  readonly activities: readonly [Activity, ...Activity[]]
}

const minuteMs = 60_000

/** The key of the groups behind the last message. */
export const behindLast = ''

/**
 * Returns the groups above each message, by its id. The oldest message that is known has some only when it is the first one of all: else
 * they belong to messages that are not read yet.
 */
export function groupsAbove(
  activities: readonly Activity[],
  messages: readonly Message[],
  isFromBeginning: boolean,
): ReadonlyMap<string, readonly ActivityGroup[]> {
  const above = new Map<string, readonly ActivityGroup[]>()
  let from = 0
  messages.forEach(({ _id, createdAt }, index) => {
    let to = from
    // As the service orders them: of the same moment, a change stands above a message.
    while (to < activities.length && (activities[to]?.at ?? '') <= createdAt) to++
    if (to > from && (index > 0 || isFromBeginning)) above.set(_id, grouped(activities.slice(from, to)))
    from = to
  })
  if (from < activities.length && (messages.length > 0 || isFromBeginning))
    above.set(behindLast, grouped(activities.slice(from)))
  return above
}

function grouped(activities: readonly Activity[]): ActivityGroup[] {
  const groups: [Activity, ...Activity[]][] = []
  for (const activity of activities) {
    const last = groups.at(-1)
    if (last && isTogether(last[0], activity)) last.push(activity)
    else groups.push([activity])
  }
  return groups.map((own) => ({ activities: own }))
}

function isTogether(first: Activity, next: Activity): boolean {
  const isSameActor = first.actor.type === next.actor.type && first.actor._id === next.actor._id
  return isSameActor && Date.parse(next.at) - Date.parse(first.at) < minuteMs
}

/** A text that is the same as long as the groups are. */
export function keyOf(groups: readonly ActivityGroup[] | undefined): string {
  return (groups ?? []).map(({ activities }) => `${activities[0]._id}${activities.length}`).join()
}
