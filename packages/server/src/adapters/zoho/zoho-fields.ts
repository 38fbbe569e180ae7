import type { SourceField, SourceModule } from '../../ports/connector.ts'
import type { Json } from './zoho-client.ts'

/** The fields that have a field of their own here, by module. All others become custom fields. */
export const mappedFields: Readonly<Record<SourceModule, Readonly<Record<string, string>>>> = {
  Accounts: { Account_Name: 'company' },
  Contacts: {
    First_Name: 'firstName',
    Last_Name: 'lastName',
    Email: 'email',
    Secondary_Email: 'secondaryEmails',
    Phone: 'phone',
    Mobile: 'phone',
    Title: 'jobTitle',
    Account_Name: 'company',
    Tag: 'tags',
  },
  Leads: {
    First_Name: 'firstName',
    Last_Name: 'lastName',
    Email: 'email',
    Secondary_Email: 'secondaryEmails',
    Phone: 'phone',
    Mobile: 'phone',
    Designation: 'jobTitle',
    Company: 'company',
    Tag: 'tags',
  },
  Deals: { Deal_Name: 'subject', Contact_Name: 'customerId', Tag: 'labels' },
  Cases: {
    Subject: 'subject',
    Status: 'status',
    Priority: 'priority',
    Case_Origin: 'channel',
    Related_To: 'customerId',
    Description: 'message',
    Tag: 'labels',
  },
  Notes: { Note_Title: 'content', Note_Content: 'content', Parent_Id: 'conversationId' },
  Emails: {},
  Calls: {
    Subject: 'metadata.notes',
    Description: 'metadata.notes',
    Call_Type: 'direction',
    Call_Start_Time: 'startedAt',
    Call_Duration_in_seconds: 'durationSeconds',
    Dialled_Number: 'to',
    Caller_ID: 'from',
    Who_Id: 'customerId',
    What_Id: 'conversationId',
  },
  Events: {
    Event_Title: 'metadata.notes',
    Description: 'metadata.notes',
    Start_DateTime: 'startedAt',
    End_DateTime: 'endedAt',
    Who_Id: 'customerId',
    What_Id: 'conversationId',
  },
  Tasks: {
    Subject: 'metadata.notes',
    Description: 'metadata.notes',
    Due_Date: 'startedAt',
    Closed_Time: 'endedAt',
    Who_Id: 'customerId',
    What_Id: 'conversationId',
  },
}

/** Fields of every module that are read for the record itself. */
export const commonFields = ['Created_Time', 'Modified_Time', 'Owner']

/** Types of which a list returns no value. */
const unlistedTypes = new Set([
  'subform',
  'multiselectlookup',
  'multiuserlookup',
  'fileupload',
  'imageupload',
])

/** The fields of a module as Zoho describes them, in the words of the port. */
export function sourceFieldsOf(module: SourceModule, described: readonly Json[]): SourceField[] {
  return described.map((field) => {
    const apiName = String(field['api_name'])
    const isCustom = field['custom_field'] === true
    return {
      apiName,
      label: String(field['display_label'] ?? field['field_label'] ?? apiName),
      type: String(field['data_type'] ?? 'text'),
      required: field['system_mandatory'] === true,
      readOnly: field['read_only'] === true || field['field_read_only'] === true,
      custom: isCustom,
      maxLength: typeof field['length'] === 'number' ? field['length'] : null,
      options: optionsOf(field['pick_list_values']),
      lookupModule: lookupOf(field['lookup']),
      mappedTo: mappedTo(module, apiName),
    }
  })
}

function mappedTo(module: SourceModule, apiName: string): string | null {
  const own = mappedFields[module][apiName]
  if (own !== undefined) return own
  if (apiName === 'Created_Time') return 'createdAt'
  if (apiName === 'Modified_Time') return 'updatedAt'
  return module === 'Accounts' ? null : `customFields.zoho.${apiName}`
}

function optionsOf(values: unknown): SourceField['options'] {
  if (!Array.isArray(values)) return []
  return values.map((value: Json) => ({
    value: String(value['actual_value']),
    label: String(value['display_value']),
  }))
}

function lookupOf(lookup: unknown): string | null {
  const module = (lookup as Json | null | undefined)?.['module'] as Json | null | undefined
  return typeof module?.['api_name'] === 'string' ? module['api_name'] : null
}

/** The fields to read of a module, mapped ones first; a request takes 50 of them. */
export function fieldNames(module: SourceModule, described: readonly Json[] | undefined): string[] {
  const own = [...commonFields, ...Object.keys(mappedFields[module]), ...(extraFields[module] ?? [])]
  if (described === undefined) return [...new Set(own)]
  const listed = described
    .filter((field) => field['visible'] !== false && !unlistedTypes.has(String(field['data_type'])))
    .map((field) => String(field['api_name']))
  const known = new Set(listed)
  // Zoho lists no field whose name begins with `$`, and sends it to those who ask.
  const asked = own.filter((name) => known.has(name) || name.startsWith('$'))
  return [...new Set([...asked, ...listed])].filter((name) => name !== 'id')
}

/** Read for the mapping, and kept as custom fields too. */
const extraFields: Partial<Record<SourceModule, readonly string[]>> = {
  Deals: ['Stage', 'Amount', 'Closing_Date'],
  Notes: ['$se_module'],
  Calls: ['$se_module'],
  Events: ['$se_module'],
  Tasks: ['$se_module', 'Status'],
}
