import { z } from 'zod'

export const replyDoors = ['email', 'chat', 'webhook', 'none'] as const

export const replyDoor = z
  .enum(replyDoors)
  .describe(
    'How a reply leaves: `email`, `chat` (the widget), `webhook` (your system, on `message.sent`), or `none` (nobody carries it).',
  )
export type ReplyDoor = z.infer<typeof replyDoor>

const addressMax = 320

const fieldsWith = (address: z.ZodString) => ({
  door: replyDoor,
  from: address.nullable().describe('Address that an e-mail comes from, in lower case; else null.'),
  customerEmail: address
    .nullable()
    .describe(
      'Address of the customer, in lower case; null without one, and to a key without read:customers.',
    ),
})

export const draftBasis = z
  .object(fieldsWith(z.string()))
  .meta({ id: 'DraftBasis', description: 'On what the recipients of a reply were chosen.' })
export type DraftBasis = z.infer<typeof draftBasis>

/** The basis as a sender repeats it, to agree to it. */
export const agreedBasis = z.strictObject(fieldsWith(z.string().max(addressMax)))

export function isSameBasis(a: DraftBasis, b: DraftBasis): boolean {
  return a.door === b.door && a.from === b.from && a.customerEmail === b.customerEmail
}

/** Reason of a CONFLICT, and of a draft that was not sent: the recipients were chosen on another basis than that of now. */
export const recipientChanged = 'RECIPIENT_CHANGED'
