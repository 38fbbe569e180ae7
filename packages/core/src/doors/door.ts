import { z } from 'zod'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { timestamp } from '../shared/text.ts'

/** A mailbox that is read, a server that sends, the events of a mail provider, the rest of an inbox, a source of imports. */
export const doorNames = ['mailbox', 'server', 'events', 'rest', 'source'] as const
export type DoorName = (typeof doorNames)[number]

export const doorParts = ['receiving', 'sending', 'syncing'] as const
export type DoorPart = (typeof doorParts)[number]

const fieldText = {
  part: 'The part that does not work.',
  reason: 'Why, in one sentence.',
  since: 'Time at which the trouble began.',
  waiting: 'Mails that wait for the door; 100 means 100 or more.',
}

export const door = z
  .object({
    _id: ownId('door'),
    tenantId,
    door: z
      .enum(doorNames)
      .describe(
        'The mailbox, the server or the rest of an inbox, the events of its mail provider, or a source.',
      ),
    part: z.enum(doorParts).describe(fieldText.part),
    inboxId: z.string().nullable().describe('Id of the inbox; null for a source.'),
    integrationId: z.string().nullable().describe('Id of the integration; null for an inbox.'),
    reason: z.string().describe(fieldText.reason),
    since: timestamp.describe(fieldText.since),
    waiting: z.int().describe(fieldText.waiting),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Door', description: 'A door of the tenant that does not work at present.' })
export type Door = z.infer<typeof door>

export const inboxDoorData = z
  .object({
    inboxId: z.string().describe('Id of the inbox.'),
    part: z.enum(['receiving', 'sending']).describe(fieldText.part),
    since: timestamp.describe(fieldText.since),
    reason: z.string().describe(fieldText.reason),
    waiting: z.int().describe(fieldText.waiting),
  })
  .meta({ id: 'InboxDoorEventData', description: 'The data of an inbox that fails, or works again.' })

export const integrationDoorData = z
  .object({
    integrationId: z.string().describe('Id of the integration.'),
    since: timestamp.describe(fieldText.since),
    reason: z.string().describe(fieldText.reason),
  })
  .meta({
    id: 'IntegrationDoorEventData',
    description: 'The data of an integration that fails, or works again.',
  })
