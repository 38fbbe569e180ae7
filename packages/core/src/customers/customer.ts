import { z } from 'zod'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { customFields, storedCustomFields } from '../shared/custom-fields.ts'
import { labelList } from '../shared/labels.ts'
import { referenceTo } from '../shared/reference.ts'
import { optionalEmail, optionalText, optionalTimestamp, timestamp } from '../shared/text.ts'

export const customerTiers = ['bronze', 'silver', 'gold', 'platinum'] as const
export const customerStatuses = ['active', 'inactive', 'archived'] as const

const text = z.string().nullable()

const fieldText = {
  firstName: 'First name.',
  lastName: 'Last name.',
  email: 'E-mail address.',
  phone: 'Phone number, as entered.',
  company: 'Company that the customer works for.',
  jobTitle: 'Position in the company.',
  tier: 'Service level.',
  status: 'State of the relationship.',
  tags: 'Tags, unique without regard to case. At most 50.',
  customFields: 'Free-form fields with any JSON values. At most 200 fields and 32 KB.',
  externalIds:
    'Ids of the customer in other systems, each as `source:id`. Written by `PUT /api/v1/customers/by-external-id/{source}/{id}`.',
}

export const customer = z
  .object({
    _id: ownId('customer'),
    tenantId,
    profile: z
      .object({
        firstName: text.describe(fieldText.firstName),
        lastName: text.describe(fieldText.lastName),
        email: text.describe(fieldText.email),
        phone: text.describe(fieldText.phone),
        company: text.describe(fieldText.company),
      })
      .describe('Name and contact data. At least one of name, e-mail and phone is present.'),
    jobTitle: text.describe(fieldText.jobTitle),
    tier: z.enum(customerTiers).describe(fieldText.tier),
    status: z.enum(customerStatuses).describe(fieldText.status),
    tags: z.array(z.string()).describe(fieldText.tags),
    customFields: storedCustomFields.describe(fieldText.customFields),
    externalIds: z.array(z.string()).describe(fieldText.externalIds),
    blockedAt: optionalTimestamp.describe(
      'Time at which the customer was blocked: their mail is ignored and their chat widget cannot send. Null while they are not blocked.',
    ),
    lastContactAt: optionalTimestamp.describe(
      'Time at which the customer last wrote, exact to an hour: a later message within the hour does not change it, and no event says so. Null while they have never written.',
    ),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Customer', description: 'A person who asks the tenant for help.' })
export type Customer = z.infer<typeof customer>

export const customerIncludes = ['openConversations'] as const

export const listedCustomer = customer
  .extend({
    openConversations: z
      .int()
      .nullable()
      .describe(
        'Number of conversations of the customer that are not closed; null unless `include=openConversations` asks for it, and without `read:conversations`.',
      ),
  })
  .meta({ id: 'ListedCustomer', description: 'A customer in a list.' })

export const addressSources = ['profile', 'changed', 'merged', 'import', 'signed'] as const

export const customerAddress = z
  .object({
    address: z.string().describe('E-mail address in lower case.'),
    since: timestamp.describe('Time at which it became the address of the customer, as far as it is known.'),
    until: timestamp.nullable().describe('Time at which it ceased to be; null while it is theirs.'),
    source: z
      .enum(addressSources)
      .describe(
        'How it is known: `profile`: it is `profile.email`; `changed`: it was; `merged`: of a customer who was merged into this one; `import`: a further one of an imported record; `signed`: of a `userToken` of the chat widget.',
      ),
  })
  .meta({ id: 'CustomerAddress', description: 'An e-mail address of a customer, current or former.' })
export type CustomerAddress = z.infer<typeof customerAddress>

export const customerDetails = customer
  .extend({
    addresses: z
      .array(customerAddress)
      .describe(
        'E-mail addresses of the customer: `profile.email` first, then the others, newest first. At most 50. One that a visitor of the chat widget typed is not among them.',
      ),
    hasMerges: z
      .boolean()
      .describe(
        'Whether other customers were merged into this one. `GET …/merges` lists those of them that can be taken back.',
      ),
  })
  .meta({
    id: 'CustomerDetails',
    description: 'A customer with all known e-mail addresses, and whether others were merged into this one.',
  })
export type CustomerDetails = z.infer<typeof customerDetails>

export const customerName = z
  .object({
    _id: ownId('customer'),
    profile: z
      .object({ firstName: text.describe(fieldText.firstName), lastName: text.describe(fieldText.lastName) })
      .describe('The name alone.'),
  })
  .meta({
    id: 'CustomerName',
    description: 'The customer of a conversation, for a credential without `read:customers`.',
  })

const writableFields = {
  firstName: optionalText(100).describe(fieldText.firstName),
  lastName: optionalText(100).describe(fieldText.lastName),
  email: optionalEmail.describe(fieldText.email),
  phone: optionalText(40).describe(fieldText.phone),
  company: optionalText(200).describe(fieldText.company),
  jobTitle: optionalText(200).describe(fieldText.jobTitle),
  tier: z.enum(customerTiers).nullable().optional().describe(`${fieldText.tier} Default: bronze.`),
  tags: labelList.nullable().optional().describe(fieldText.tags),
  customFields: customFields.nullable().optional().describe(fieldText.customFields),
}

export const createCustomerBody = z
  .strictObject(writableFields)
  .meta({ id: 'CreateCustomer', description: 'A new customer.' })
export type CreateCustomerBody = z.output<typeof createCustomerBody>

const preference = (text: string) =>
  z.enum(['source', 'target']).optional().describe(`${text} Default: target.`)

const preferences = {
  firstName: preference(fieldText.firstName),
  lastName: preference(fieldText.lastName),
  email: preference(`${fieldText.email} The other one stays a further address.`),
  phone: preference(`${fieldText.phone} The other one stays a further number.`),
  company: preference(fieldText.company),
  jobTitle: preference(fieldText.jobTitle),
  tier: preference(fieldText.tier),
}

export const mergeCustomersBody = z
  .strictObject({
    sourceId: referenceTo('customer').describe('Id of the customer to merge into this one. It is deleted.'),
    prefer: z
      .strictObject(preferences)
      .nullable()
      .optional()
      .describe(
        'The customer whose value stays, by field. A blank value takes that of the other customer in any case.',
      ),
  })
  .meta({ id: 'MergeCustomers', description: 'The source of a merge, and the values that stay.' })
export type MergePreferences = NonNullable<z.output<typeof mergeCustomersBody>['prefer']>

export const unmergeCustomersBody = z
  .strictObject({
    sourceId: referenceTo('customer').describe('Id of the customer who was merged into this one.'),
  })
  .meta({ id: 'UnmergeCustomers', description: 'The source of a merge that is taken back.' })

export const unmergedCustomers = z
  .object({
    source: customer.describe('The customer who was merged, with the old id.'),
    target: customer.describe('The customer into whom the other one was merged.'),
    kept: z
      .array(z.string())
      .describe(
        'Everything that did not go back: paths of fields that somebody changed after the merge, and ids of moved rows that belong to somebody else now.',
      ),
  })
  .meta({ id: 'UnmergedCustomers', description: 'Both customers after a merge was taken back.' })

export const customerMerge = z
  .object({
    _id: ownId('merge'),
    sourceId: z.string().describe('Id of the customer who was merged into this one.'),
    sourceName: z
      .string()
      .describe(
        'Name of that customer at the time; without a name the e-mail, without both the phone number.',
      ),
    mergedAt: timestamp.describe('Time of the merge.'),
    mergedBy: z
      .object({
        type: z.enum(['user', 'apiKey']).describe('Kind of the actor.'),
        _id: z.string().describe('Id of the user or the key.'),
      })
      .nullable()
      .describe(
        'The user or key who merged them; null for a merge of an earlier version, and for one at the source of an import.',
      ),
    undoableUntil: timestamp.describe('Time until which `unmerge` takes the merge back.'),
  })
  .meta({ id: 'CustomerMerge', description: 'A merge into a customer that can be taken back.' })
export type CustomerMerge = z.infer<typeof customerMerge>

export const updateCustomerBody = z
  .strictObject({
    ...writableFields,
    status: z.enum(customerStatuses).nullable().optional().describe(`${fieldText.status} Default: active.`),
  })
  .meta({ id: 'UpdateCustomer', description: 'Changes of a customer. An absent field keeps its value.' })
export type UpdateCustomerBody = z.output<typeof updateCustomerBody>

export const customerTagsBody = z
  .strictObject({ tags: labelList.min(1).describe('Tags to add or to remove.') })
  .meta({ id: 'CustomerTags', description: 'A list of tags.' })

const bulkMax = 100

export const createCustomersBody = z
  .strictObject({
    customers: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(bulkMax)
      .optional()
      .describe(
        '1 to 100 customers, each with the fields of `POST /api/v1/customers`. Each is checked by itself.',
      ),
    ids: z
      .array(referenceTo('customer', z.string().max(128)))
      .min(1)
      .max(bulkMax)
      .optional()
      .describe(
        'Instead of `customers`: ids of 1 to 100 customers whose tags change. A repeated one counts once.',
      ),
    addTags: labelList.optional().describe('With `ids`: tags to add.'),
    removeTags: labelList.optional().describe('With `ids`: tags to remove, before others are added.'),
  })
  .meta({ id: 'CreateCustomers', description: 'Customers to create, or ids of customers whose tags change.' })
export type CreateCustomersBody = z.output<typeof createCustomersBody>

/** A row of many customers that are named by ids of another system. */
export const putCustomerRow = updateCustomerBody.extend({
  source: z.string().describe('Name of the other system: 1 to 64 letters, digits, `-` and `_`.'),
  id: z.string().describe('Id of the customer in the other system: 1 to 255 characters.'),
})

export const putCustomersBody = z
  .strictObject({
    customers: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(bulkMax)
      .describe(
        '1 to 100 customers, each with `source`, `id` and the fields of `PUT /api/v1/customers/{id}`. Each is checked by itself.',
      ),
  })
  .meta({
    id: 'PutCustomers',
    description: 'Customers to create or to update, by their ids in other systems.',
  })

const problem = z
  .object({
    field: z.string().describe('Path of the refused field in its row.'),
    message: z.string().describe('Description of the problem for people.'),
    rule: z.string().describe('The broken rule, for programs.'),
    in: z.string().describe('Always `body`.'),
  })
  .meta({ id: 'RowProblem', description: 'A problem with one field of a row.' })

export const createdRow = z
  .object({
    index: z.int().describe('Position of the row in the request, from 0.'),
    _id: z.string().nullable().describe('Id of the customer; null when the row was refused.'),
    result: z
      .enum(['created', 'refused', 'changed', 'unchanged', 'failed'])
      .describe('The outcome of the row; the last three are those of `ids`.'),
    code: z
      .string()
      .nullable()
      .describe('Of `failed`: `NOT_FOUND`, or `VALIDATION_ERROR` for more tags than 50. Else null.'),
    customer: customer
      .nullable()
      .describe('The customer afterwards; null when the row was refused or failed.'),
    problems: z.array(problem).describe('The reasons of a refusal; empty for every other result.'),
  })
  .meta({ id: 'CreatedCustomer', description: 'The result for one row.' })

export const putRow = z
  .object({
    index: z.int().describe('Position of the row in the request, from 0.'),
    result: z.enum(['created', 'updated', 'unchanged', 'refused']).describe('The outcome of the row.'),
    customer: customer.nullable().describe('The customer afterwards; null when the row was refused.'),
    problems: z.array(problem).describe('The reasons of a refusal; empty for every other result.'),
  })
  .meta({ id: 'StoredCustomer', description: 'The result for one row.' })
