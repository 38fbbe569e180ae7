import { z } from 'zod'
import { customFields, storedCustomFields } from '../shared/custom-fields.ts'
import { labelList } from '../shared/labels.ts'
import { referenceTo } from '../shared/reference.ts'
import { optionalEmail, optionalText, timestamp } from '../shared/text.ts'

export const customerTiers = ['bronze', 'silver', 'gold', 'platinum'] as const
export const customerStatuses = ['active', 'inactive', 'archived'] as const

const text = z.string().nullable()

export const customer = z
  .object({
    _id: z.string(),
    tenantId: z.string(),
    profile: z.object({ firstName: text, lastName: text, email: text, phone: text, company: text }),
    jobTitle: text,
    tier: z.enum(customerTiers),
    status: z.enum(customerStatuses),
    tags: z.array(z.string()),
    customFields: storedCustomFields,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Customer' })
export type Customer = z.infer<typeof customer>

/** What a credential without `read:customers` sees of a conversation's customer. */
export const customerName = z
  .object({ _id: z.string(), profile: z.object({ firstName: text, lastName: text }) })
  .meta({ id: 'CustomerName' })

const writableFields = {
  firstName: optionalText(100),
  lastName: optionalText(100),
  email: optionalEmail,
  phone: optionalText(40),
  company: optionalText(200),
  jobTitle: optionalText(200),
  tier: z.enum(customerTiers).nullable().optional(),
  tags: labelList.nullable().optional(),
  customFields: customFields.nullable().optional(),
}

export const createCustomerBody = z.strictObject(writableFields).meta({ id: 'CreateCustomer' })
export type CreateCustomerBody = z.output<typeof createCustomerBody>

export const mergeCustomersBody = z
  .strictObject({ sourceId: referenceTo('customer') })
  .meta({ id: 'MergeCustomers' })

export const updateCustomerBody = z
  .strictObject({ ...writableFields, status: z.enum(customerStatuses).nullable().optional() })
  .meta({ id: 'UpdateCustomer' })
export type UpdateCustomerBody = z.output<typeof updateCustomerBody>
