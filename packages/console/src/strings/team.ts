/** The English texts of the settings of the team itself. */
export const team = {
  name: 'Name of the team',
  nameHint: 'Customers read it in the chat of your website, and your people in invitations and in the menu.',
  country: 'Country of phone numbers',
  noCountry: 'None',
  countryHint: 'Telephone numbers without a country are read as numbers of this one.',
  saved: 'The team is changed',
  usage: 'Usage',
  usageColumns: ['Of', 'Used', 'Limit'],
  unlimited: 'No limit',
  quotas: {
    customers: 'Customers',
    conversations: 'Conversations',
    messages: 'Messages',
    users: 'People',
    inboxes: 'Inboxes',
    attachmentBytes: 'Files of messages',
  },
  megabytes: (count: string) => `${count} megabytes`,
  deletion:
    'An owner exports the whole team with the command “crm tenant export”. The operator of your server suspends and deletes it.',
}
