/** The English texts of parts that are loaded when they are opened; all others are in `en.ts`. */
export const more = {
  newConversation: {
    customer: 'Name, e-mail, phone or company of the customer',
    newCustomer: (text: string) => `New customer: ${text}`,
    change: 'Choose another customer',
    inbox: 'Inbox',
    subject: 'Subject',
    message: 'First message',
    send: 'Start the conversation',
  },
  teams: {
    signIn: (team: string) => `Sign in to ${team}`,
    none: (team: string) => `You belong to ${team} alone.`,
    failed: 'Your teams could not be read',
  },
  notices: {
    hint: 'For messages of customers while this tab is hidden:',
    kinds: {
      badge: 'A number in the title and a dot on the icon',
      desktop: 'A notice of the desktop',
      sound: 'A sound',
    },
    refused: 'The browser does not allow notices for this page. Its settings can allow them.',
  },
  filter: {
    priority: 'Priority',
    channel: 'Channel',
    label: 'Label',
    assignedTo: 'Assigned to',
    order: 'Order',
    any: 'All',
    done: 'Done',
  },
  edit: {
    fields: {
      firstName: 'First name',
      lastName: 'Last name',
      email: 'E-mail',
      phone: 'Phone',
      company: 'Company',
      jobTitle: 'Position',
    },
    tier: 'Service level',
    tags: 'Tags, separated by commas',
    custom: 'Further fields',
    customHint: 'A value that is no plain text is written as JSON.',
    name: 'Name of the field',
    value: (name: string) => `Value of ${name || 'the new field'}`,
    remove: (name: string) => `Remove ${name || 'the new field'}`,
    add: 'Add a field',
    notJson: (name: string) => `The value of ${name} is no JSON.`,
    twice: (name: string) => `There are two fields with the name ${name}.`,
    save: 'Save',
    saved: 'The customer was changed',
  },
  addresses: {
    title: 'Other addresses',
    former: (address: string, time: string) => `${address}, until ${time}`,
  },
  merge: {
    choose: 'Search the other customer by name, e-mail, phone or company',
    hint: (kept: string, other: string) =>
      `“${kept}” stays, and “${other}” is deleted. Conversations, tags and fields of both are kept. This cannot be undone.`,
    field: 'Field',
    kept: 'Stays',
    other: 'Is merged',
    result: 'Result',
    swap: 'Keep the other one',
    conversations: 'Conversations',
    submit: 'Merge',
    done: 'The customers were merged',
  },
  export: {
    hint: 'The file holds the customer, their conversations with all messages and notes, and their messages in other conversations.',
    json: 'Download as JSON',
    csv: 'Download as CSV, for a spreadsheet',
    done: 'The data was downloaded',
  },
  unsent: {
    empty: ['Every reply was sent', 'A reply that could not be sent waits here.'],
    here: 'Only this browser has it',
    reasons: {
      REPLIED: 'Somebody has written before its time',
      RECIPIENT_CHANGED: 'The customer or an address has changed',
    },
    other: (code: string) => `The service has not sent it (${code})`,
  },
  block: {
    hint: (email: string | null) =>
      `${email ? `Mail from ${email} is stored and ignored, and the` : 'The'} chat refuses new messages of this person. They get no automatic reply. Earlier messages stay, and you can still write to them. Telephone calls are not blocked.`,
    undo: 'New mail and chat messages of this person arrive again.',
    done: 'The sender is blocked',
    undone: 'The sender is not blocked any more',
  },
  erase: {
    hint: (count: string) =>
      `Erases the customer and ${count} with all messages, notes and files. This cannot be undone, and an import does not bring them back.`,
    conversations: (count: string) => (count === '1' ? '1 conversation' : `${count} conversations`),
    confirm: (text: string) => `Type “${text}” to confirm`,
    submit: 'Erase for good',
    done: 'The customer was erased',
  },
} as const
