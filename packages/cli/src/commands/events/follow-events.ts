import type { EventsStreamQuery, StreamedEvent } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { milliseconds } from '../../output/format-time.ts'
import type { Client } from '../../profile/open-client.ts'

interface FollowRequest {
  readonly query: EventsStreamQuery
  /** Called for one event after the other; the next one waits. */
  readonly onEvent: (event: StreamedEvent) => Promise<void>
}

/** Sooner than this a refused credential is not one that has ended meanwhile. */
const sessionLeastMs = 30_000

/** Reads events until the process is ended, over every break of the connection and every end of a session's token. */
export async function followEvents(
  context: Context,
  client: Client,
  { query, onEvent }: FollowRequest,
): Promise<never> {
  const { AuthenticationError } = await import('@crmkit/sdk')
  let after = query.after
  for (;;) {
    const startedAt = performance.now()
    try {
      await client.call(async (crm) => {
        const stream = crm.events.stream({ ...query, after }, { onInterruption: tellOf(context) })
        try {
          for await (const event of stream) await onEvent(event)
        } finally {
          after = stream.position ?? after
        }
      })
    } catch (error) {
      const hasEnded = error instanceof AuthenticationError && error.code === 'AUTH_REQUIRED'
      if (!hasEnded || performance.now() - startedAt < sessionLeastMs) throw error
    }
  }
}

/** A server that ends a stream in good order goes on with it a moment later: nothing to tell. */
function tellOf({ output }: Context) {
  return ({ error, waitMs }: { error: Error | undefined; waitMs: number }): void => {
    if (error)
      output.say(`The stream broke off: ${error.message} Going on in ${milliseconds(Math.round(waitMs))}.`)
  }
}
