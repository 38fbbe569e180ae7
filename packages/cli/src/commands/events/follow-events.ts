import type { EventsStreamQuery, LiveEvent, StreamedEvent } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { milliseconds } from '../../output/format-time.ts'
import type { Client } from '../../profile/open-client.ts'

interface FollowRequest {
  readonly query: EventsStreamQuery
  /** Called for one event at a time, in order. */
  readonly onEvent: (event: StreamedEvent) => Promise<void>
  /** Called for each live event, where the query asks for them. */
  readonly onLive?: (event: LiveEvent) => void
}

/** A credential that is refused sooner than this was refused from the start and has not expired meanwhile. */
const sessionLeastMs = 30_000

/** Reads events until the process ends; survives lost connections and expired access tokens. */
export async function followEvents(
  context: Context,
  client: Client,
  { query, onEvent, onLive }: FollowRequest,
): Promise<never> {
  const { AuthenticationError, isLiveEvent } = await import('@crmkit/sdk')
  let after = query.after
  for (;;) {
    const startedAt = performance.now()
    try {
      await client.call(async (crm) => {
        const stream = crm.events.stream({ ...query, after }, { onInterruption: reportInterruption(context) })
        try {
          for await (const event of stream) {
            if (isLiveEvent(event)) onLive?.(event)
            else await onEvent(event)
          }
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

/** Reports only errors: a server that ends a stream normally continues it a moment later. */
function reportInterruption({ output }: Context) {
  return ({ error, waitMs }: { error: Error | undefined; waitMs: number }): void => {
    if (error)
      output.say(
        `The stream was interrupted: ${error.message} Reconnecting in ${milliseconds(Math.round(waitMs))}.`,
      )
  }
}
