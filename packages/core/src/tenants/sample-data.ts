import { z } from 'zod'
import { timestamp } from '../shared/text.ts'

export const sampleData = z
  .object({
    runId: z.string().describe('Id of this set of sample rows.'),
    addedAt: timestamp.describe('Time at which they were added.'),
  })
  .meta({
    id: 'SampleData',
    description: 'Customers and conversations that show what the service does. One request removes them.',
  })
export type SampleData = z.infer<typeof sampleData>
