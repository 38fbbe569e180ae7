import { z } from 'zod'
import { optionalTimestamp } from '../shared/text.ts'
import { sampleData } from './sample-data.ts'

export const setupStepIds = ['channel', 'invite', 'answer', 'notifications'] as const
export type SetupStepId = (typeof setupStepIds)[number]

export const tenantSetup = z
  .object({
    steps: z
      .array(
        z.object({
          id: z
            .enum(setupStepIds)
            .describe(
              '`channel`: a first chat message or mail has arrived. `invite`: a first invitation was accepted. `answer`: a person has sent a first reply. `notifications`: an admin has switched them on.',
            ),
          done: z
            .boolean()
            .describe(
              'Whether nothing is left to do. `channel` is open again while a door of an inbox fails.',
            ),
          doneAt: optionalTimestamp.describe(
            'Time at which it was done first. It is never taken back; null before.',
          ),
          detail: z
            .string()
            .nullable()
            .describe('Why a step that was done is open again, in one sentence; null otherwise.'),
        }),
      )
      .describe('The steps in their order.'),
    dismissedAt: optionalTimestamp.describe(
      'Time at which an admin has hidden the list; null before, and when a door has failed since.',
    ),
    sampleData: sampleData
      .nullable()
      .default(null)
      .describe('The sample rows of the tenant; null while there are none.'),
  })
  .meta({
    id: 'TenantSetup',
    description: 'The first steps of a new team: those that are done, and those that are left.',
  })
export type TenantSetup = z.infer<typeof tenantSetup>

export const updateTenantSetupBody = z
  .strictObject({
    dismissed: z.boolean().optional().describe('Whether the list is hidden.'),
    notifications: z.literal(true).optional().describe('Notes that an admin has switched notifications on.'),
  })
  .meta({ id: 'UpdateTenantSetup', description: 'Changes of the list. An absent field keeps its value.' })
