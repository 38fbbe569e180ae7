// Every text that a visitor reads. To add a language: add its code with the same texts to both tables. A page chooses by
// the `lang` of its `<html>`; a language without an entry gets English.

const bubble = {
  en: {
    open: 'Open chat',
    close: 'Close chat',
    frame: 'Chat',
    unread: (count: number) => (count === 1 ? '1 unread message' : `${count} unread messages`),
  },
}

const chat = {
  en: {
    chat: 'Chat',
    close: 'Close chat',
    messages: 'Messages',
    message: 'Message',
    placeholder: 'Write a message',
    send: 'Send',
    attach: 'Attach a file',
    remove: (name: string) => `Remove ${name}`,
    download: (name: string) => `Download ${name}`,
    you: 'You',
    agent: 'Agent',
    earlier: 'Show earlier messages',
    conversation: 'Conversation',
    conversationWithUnread: (subject: string, count: number) => `${subject} (${count} new)`,
    newConversation: 'New conversation',
    away: 'Nobody is online at the moment. Leave a message: the reply appears here.',
    closed: 'This conversation is closed. A new message starts another one.',
    typing: 'A reply is being written …',
    sending: 'Sending …',
    waiting: 'Not sent yet. It is sent when the connection is back.',
    crowded: (seconds: number) => `Many people write from your network. Sent in ${seconds} s.`,
    signIn: 'Your sign-in has ended. The message is sent when the page has signed you in again.',
    failed: (reason: string) => `Not sent: ${reason}`,
    retry: 'Send again',
    discard: 'Delete',
    tooLong: (length: number, most: number) =>
      `The message has ${length} characters; at most ${most} can be sent.`,
    tooLarge: (name: string) => `${name} is larger than 10 MB.`,
    tooMany: (names: string) => `A message takes 10 files. Not taken: ${names}`,
    downloadFailed: (name: string) => `${name} could not be downloaded.`,
    rate: 'How was this conversation?',
    stars: (score: number) => `${score} of 5`,
    comment: 'Comment',
    sendRating: 'Send rating',
    thanks: 'Thank you for your rating.',
    ratingFailed: 'The rating was not sent. Try again.',
    emailQuestion: 'Where may we write to you when you are away?',
    email: 'E-mail',
    saveEmail: 'Save',
    skip: 'Skip',
    emailSaved: (address: string) => `Replies that you miss here go to ${address}.`,
    sendTranscript: 'Send transcript',
    transcriptSent: (address: string) => `The conversation is on its way to ${address}.`,
    transcriptLater: (minutes: number) => `The conversation was sent already. Try again in ${minutes} min.`,
    transcriptFailed: 'The conversation was not sent. Try again.',
  },
}

export type ChatTexts = typeof chat.en
export type BubbleTexts = typeof bubble.en

function pick<Texts>(table: { en: Texts } & Record<string, Texts>, language: string): Texts {
  const code = language.toLowerCase()
  const found = [code, code.split('-', 1)[0] ?? ''].find((name) => Object.hasOwn(table, name))
  return table[found ?? 'en'] ?? table.en
}

export const bubbleTexts = (language: string): BubbleTexts => pick(bubble, language)
export const chatTexts = (language: string): ChatTexts => pick(chat, language)
