import type { MakeRow, Row } from './dataset.ts'

const firstNames = ['Ada', 'Grace', 'Alan', 'Zoë', 'José', 'Wei', 'Olena', 'Tunde', 'Mårten', 'Aiko']
const lastNames = ['Foller', 'Hopper', 'Nguyen', 'Müller', 'Kowalski', "O'Neill", 'García', 'Okafor', 'Sato']
const stages = ['Needs Analysis', 'Value Proposition', 'Negotiation/Review', 'Closed Won', 'Closed Lost']
const statuses = ['New', 'On Hold', 'Escalated', 'Closed']
const origins = ['Email', 'Phone', 'Web', 'Twitter', 'Facebook']
const priorities = ['High', 'Medium', 'Low']
const callTypes = ['Inbound', 'Outbound', 'Missed']
const owner = { name: 'Mia Agent', id: '7328395000000000001', email: 'mia@example.com' }

/** A value by a number: the same number gives the same value in every run. */
function pick<T>(values: readonly T[], index: number, salt: number): T {
  // Knuth's multiplicative hash scatters neighbouring numbers.
  const scattered = Math.imul(index + salt * 7919, 2_654_435_761) >>> 0
  return values[scattered % values.length] as T
}

export interface Ids {
  idOf(module: string, index: number): string
  countOf(module: string): number
}

/** How the records of each module are made. */
export function rowMakers(ids: Ids): Readonly<Record<string, MakeRow>> {
  const lookup = (module: string, index: number, name: string): Row | null => {
    const count = ids.countOf(module)
    return count === 0 ? null : { name, id: ids.idOf(module, index % count) }
  }
  const person = (index: number, prefix: string): Row => ({
    First_Name: pick(firstNames, index, 1),
    Last_Name: `${pick(lastNames, index, 2)} ${prefix}${index}`,
    Email: `${prefix}${index}@example.com`,
    Secondary_Email: index % 10 === 0 ? `${prefix}${index}.alt@example.com` : null,
    // Half of the people share a phone number with another one.
    Phone: `+1555${String(Math.floor(index / 2)).padStart(7, '0')}`,
    Owner: owner,
    Tag: index % 4 === 0 ? [{ name: 'vip', id: '1' }] : [],
    Description: null,
    Lead_Source: pick(['Web', 'Trade Show', null], index, 3),
  })
  const activity = (index: number): Row => ({
    Owner: owner,
    Who_Id: lookup('Contacts', index, 'Contact'),
    What_Id: lookup('Deals', index, 'Deal'),
    $se_module: 'Deals',
    Description: `Remark ${index}`,
  })
  return {
    Accounts: (index) => ({ Account_Name: `Company ${index}`, Owner: owner, Industry: 'Software' }),
    Contacts: (index) => ({
      ...person(index, 'contact'),
      Title: pick(['Nurse', 'Buyer', 'CTO'], index, 4),
      Account_Name: lookup('Accounts', index, `Company ${index % Math.max(1, ids.countOf('Accounts'))}`),
    }),
    Leads: (index) => ({
      ...person(index, 'lead'),
      Company: `Prospect ${index}`,
      Designation: 'Manager',
      Lead_Status: 'Contacted',
    }),
    Deals: (index) => ({
      Deal_Name: `Deal ${index}`,
      Stage: pick(stages, index, 5),
      Amount: 100 + index,
      Closing_Date: '2026-12-31',
      Contact_Name: lookup('Contacts', index, 'Contact'),
      Account_Name: lookup('Accounts', index, 'Company'),
      Owner: owner,
      Tag: [],
    }),
    Cases: (index) => ({
      Subject: `Case ${index}`,
      Status: pick(statuses, index, 6),
      Case_Origin: pick(origins, index, 7),
      Priority: pick(priorities, index, 8),
      Case_Number: String(10_000 + index),
      Related_To: lookup('Contacts', index, 'Contact'),
      Description: `The printer ${index} is stuck`,
      Owner: owner,
      Tag: [],
    }),
    Notes: (index) => {
      const module = index % 2 === 0 ? 'Contacts' : 'Deals'
      const parent = lookup(module, Math.floor(index / 2), 'Parent')
      return {
        Note_Title: `Note ${index}`,
        Note_Content: `Content of note ${index}`,
        Parent_Id: parent && { ...parent, module: { api_name: module, id: '2' } },
        Owner: owner,
      }
    },
    Calls: (index) => ({
      ...activity(index),
      Subject: `Call ${index}`,
      Call_Type: pick(callTypes, index, 9),
      Call_Start_Time: '2026-05-14T11:36:12+03:00',
      Call_Duration: '00:15',
      Call_Duration_in_seconds: 15,
      Dialled_Number: '+15550000001',
      Caller_ID: '+15550000002',
    }),
    Events: (index) => ({
      ...activity(index),
      Event_Title: `Meeting ${index}`,
      Start_DateTime: '2026-05-14T11:00:00+03:00',
      End_DateTime: '2026-05-14T12:00:00+03:00',
    }),
    Tasks: (index) => ({
      ...activity(index),
      Subject: `Task ${index}`,
      Status: 'Completed',
      Due_Date: '2026-05-14',
      Closed_Time: '2026-05-15T09:00:00+03:00',
    }),
  }
}
