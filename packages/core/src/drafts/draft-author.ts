import { z } from 'zod'

export const draftAuthor = z
  .object({
    type: z.enum(['user', 'api']).describe('Kind of the author; `api` is a key.'),
    _id: z.string().describe('Id of the user or key.'),
    name: z.string().nullable().describe('Name of the author; null when it was erased or may not be shown.'),
  })
  .meta({ id: 'DraftAuthor', description: 'Author of a draft.' })
export type DraftAuthor = z.infer<typeof draftAuthor>
