import type { StreamedEvent } from '@crmkit/sdk'
import { CliError } from '../../cli-error.ts'
import { exitCodes } from '../../exit-codes.ts'
import type { Client } from '../../profile/open-client.ts'

/** Returns one event with the exact bytes of its deliveries: the list finds its position, the stream has the bytes. */
export async function findEvent(client: Client, id: string): Promise<StreamedEvent> {
  const found = await client.call(async (crm) => {
    let after = 'earliest'
    for await (const page of crm.events.list({ after, limit: 100 }).pages()) {
      if (page.data.some((event) => event.id === id)) {
        for await (const event of crm.events.stream({ after })) if (event.id === id) return event
      }
      after = page.nextCursor
    }
    return undefined
  })
  if (found) return found
  throw new CliError(`There is no event ${id} in the log.`, {
    code: 'NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: 'Events are stored for 30 days; "crm events tail --after earliest" shows them.',
  })
}
