import type { Row } from './dataset.ts'

const pickLists: Readonly<Record<string, readonly string[]>> = {
  Stage: [
    'Needs Analysis',
    'Value Proposition',
    'Negotiation/Review',
    'Closed Won',
    'Closed Lost',
    'Lost to rival',
  ],
  Status: ['New', 'On Hold', 'Escalated', 'Closed'],
  Priority: ['High', 'Medium', 'Low'],
}
const lookups: Readonly<Record<string, string>> = {
  Account_Name: 'Accounts',
  Contact_Name: 'Contacts',
  Related_To: 'Contacts',
  Who_Id: 'Contacts',
}

/** Fields whose value is HTML of up to 50,000 characters; a list cuts it. */
export const isRichText = (name: string) => name.startsWith('Rich_')

/** `GET /crm/v8/settings/fields`: the fields that a row of the module has. */
export function describeFields(row: Row, isAccounts: boolean): Row[] {
  return Object.entries(row)
    .filter(([name]) => name !== 'id' && !name.startsWith('$'))
    .map(([name], index) => ({
      id: String(7_328_395_000_000_100 + index),
      api_name: name,
      field_label: name.replaceAll('_', ' '),
      display_label: name.replaceAll('_', ' '),
      data_type: typeOf(name, isAccounts),
      json_type: 'string',
      length: 255,
      system_mandatory: name === 'Last_Name',
      read_only: name.endsWith('_Time'),
      visible: true,
      custom_field: name.startsWith('Custom_') || isRichText(name),
      ...(isRichText(name) && { textarea: { type: 'rich_text' } }),
      pick_list_values: (pickLists[name] ?? []).map((value) => ({
        display_value: value,
        actual_value: value,
        ...(name === 'Stage' && { forecast_type: /closed|lost/i.test(value) ? 'Closed' : 'Open' }),
      })),
      lookup: lookups[name] && !isAccounts ? { module: { api_name: lookups[name], id: '1' } } : {},
    }))
}

function typeOf(name: string, isAccounts: boolean): string {
  if (isRichText(name)) return 'textarea'
  if (pickLists[name]) return 'picklist'
  if (lookups[name] && !isAccounts) return 'lookup'
  return name.endsWith('_Time') ? 'datetime' : 'text'
}
