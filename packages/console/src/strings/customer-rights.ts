/** The English texts of what is done with all data of a customer. */
export const customerRights = {
  export: {
    hint: 'The file holds the customer, their conversations with all messages and notes, and their messages in other conversations.',
    json: 'Download as JSON',
    csv: 'Download as CSV, for a spreadsheet',
    done: 'The data was downloaded',
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
}
