const person = [
  'id',
  'firstName',
  'lastName',
  'fullName',
  'email',
  'secondaryEmail',
  'phone',
  'company',
  'jobTitle',
  'tags',
  'createdAt',
  'updatedAt',
]
const times = ['createdAt', 'updatedAt', 'closedAt']

/** The fields of each module that a column can go to, besides custom fields. A test compares them with the service. */
export const importTargets: Readonly<Record<string, readonly string[]>> = {
  Contacts: person,
  Leads: person,
  Deals: ['id', 'subject', 'stage', 'status', 'customerId', 'customerEmail', ...times],
  Cases: [
    ...['id', 'subject', 'status', 'priority', 'channel'],
    ...['customerId', 'customerEmail', 'labels', 'description', ...times],
  ],
  Notes: [
    ...['id', 'title', 'content', 'parentModule', 'parentId', 'authorId', 'authorEmail', 'authorName'],
    ...['authorType', 'direction', 'isPublic', 'createdAt', 'updatedAt'],
  ],
  Calls: ['id', 'subject', 'callType', 'startedAt', 'durationSeconds', 'customerId', 'createdAt'],
}

const statuses = ['open', 'pending', 'closed']

/** The meanings that a word of each of these fields can have. */
export const importMeanings: Readonly<Record<string, readonly string[]>> = {
  status: statuses,
  stage: statuses,
  priority: ['low', 'medium', 'high', 'urgent'],
  channel: ['email', 'chat', 'phone', 'whatsapp', 'instagram', 'twitter', 'facebook', 'sms'],
  callType: ['inbound', 'outbound', 'missed'],
}
