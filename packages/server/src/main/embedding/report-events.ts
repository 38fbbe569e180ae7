import type { CrmEvent } from '@crmkit/sdk'
import type { Log } from '../../ports/log.ts'
import type { Committed } from '../../ports/storage.ts'

/** Called once for each event that this process commits, after its commit, in the order of the commit. */
export type OnEvent = (event: CrmEvent, about: { tenantId: string }) => void | Promise<void>

/** Returns a listener of commits that calls `onEvent`. A failure of the app is logged: the event is committed already. */
export function reportEvents(onEvent: OnEvent, log: Log): (commit: Committed) => void {
  return ({ tenantId, change }) => {
    for (const { body, type } of change.events) {
      Promise.resolve()
        .then(() => onEvent(JSON.parse(body) as CrmEvent, { tenantId }))
        .catch((err: unknown) => log.error({ err, type }, 'onEvent failed'))
    }
  }
}
