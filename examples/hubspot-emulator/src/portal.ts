const madeAt = '2026-01-01T00:00:00.000Z'
const times = { createdAt: madeAt, updatedAt: madeAt, archived: false }

interface Stage {
  id: string
  label: string
  metadata: Record<string, string>
}

const pipelineOf = (id: string, label: string, stages: readonly Stage[]) => ({
  id,
  label,
  displayOrder: 0,
  ...times,
  stages: stages.map((stage, displayOrder) => ({
    ...stage,
    displayOrder,
    writePermissions: 'CRM_PERMISSIONS_ENFORCEMENT',
    ...times,
  })),
})

export const pipelines = [
  pipelineOf('default', 'Sales Pipeline', [
    { id: 'stage_open', label: 'Open', metadata: { probability: '0.2' } },
    { id: 'stage_won', label: 'Won', metadata: { probability: '1.0' } },
    { id: 'stage_lost', label: 'Lost', metadata: { probability: '0.0' } },
  ]),
]

export const ticketPipelines = [
  pipelineOf('0', 'Support Pipeline', [
    { id: '1', label: 'New', metadata: { ticketState: 'OPEN' } },
    { id: '2', label: 'Waiting on contact', metadata: { ticketState: 'OPEN' } },
    { id: '3', label: 'Waiting on us', metadata: { ticketState: 'OPEN' } },
    { id: '4', label: 'Closed', metadata: { ticketState: 'CLOSED' } },
  ]),
]

const ownerOf = (id: string, [firstName, lastName]: readonly [string, string], archived: boolean) => ({
  id,
  email: `${firstName.toLowerCase()}@example.com`,
  type: 'PERSON',
  firstName,
  lastName,
  userId: Number(id) + 1000,
  userIdIncludingInactive: Number(id) + 1000,
  createdAt: madeAt,
  updatedAt: madeAt,
  archived,
  teams: [],
})

export const owners = [ownerOf('91', ['Mia', 'Agent'], false), ownerOf('92', ['Lev', 'Gone'], true)]

const options: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hs_lead_status: { NEW: 'New', OPEN_DEAL: 'Open deal' },
  hs_ticket_priority: { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' },
  source_type: { CHAT: 'Chat', EMAIL: 'Email', FORM: 'Form', PHONE: 'Phone' },
}

/** A property as `GET /crm/properties/2026-03/{objectType}` describes it. */
export function propertyOf(name: string, hubspotDefined: boolean): object {
  const words = Object.entries(options[name] ?? {})
  const isOwner = name === 'hubspot_owner_id'
  return {
    name,
    label: isOwner ? 'Owner' : name,
    description: '',
    groupName: 'information',
    type: words.length > 0 || isOwner ? 'enumeration' : 'string',
    fieldType: words.length > 0 || isOwner ? 'select' : 'text',
    options: words.map(([value, label], displayOrder) => ({ value, label, displayOrder, hidden: false })),
    ...(isOwner && { referencedObjectType: 'OWNER', externalOptions: true }),
    hidden: false,
    calculated: false,
    hubspotDefined,
    modificationMetadata: { archivable: true, readOnlyDefinition: hubspotDefined, readOnlyValue: false },
  }
}
