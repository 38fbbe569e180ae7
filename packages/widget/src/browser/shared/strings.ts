// Every text that a visitor reads, in English. The other languages are files of `src/languages`, with the same keys and the same
// values in braces: a page loads the one that its `lang` asks for. A text for one of several (`…One`) may be the same as the other.

export const bubbleEnglish = {
  openChat: 'Open chat',
  close: 'Close chat',
  chat: 'Chat',
  unreadOne: '{count} unread message',
  unread: '{count} unread messages',
}

export const chatEnglish = {
  messages: 'Messages',
  message: 'Message',
  placeholder: 'Write a message',
  send: 'Send',
  attach: 'Attach a file',
  remove: 'Remove {name}',
  download: 'Download {name}',
  showPicture: 'Show {name}',
  closePicture: 'Close the picture',
  you: 'You',
  agent: 'Agent',
  earlier: 'Show earlier messages',
  newMessages: 'New messages',
  conversations: 'Conversations',
  newConversation: 'New conversation',
  online: 'Online: {names}',
  replyMinutes: 'A reply usually comes in a few minutes.',
  replyHours: 'A reply usually comes in a few hours.',
  replyDay: 'A reply usually comes within a day.',
  away: 'Nobody is online at the moment. Leave a message: the reply appears here.',
  closed: 'This conversation is closed. A new message starts another one.',
  typing: 'A reply is being written …',
  sending: 'Sending …',
  waiting: 'Not sent yet. It is sent when the connection is back.',
  crowded: 'Many people write from your network. Sent in {seconds} s.',
  signIn: 'Your sign-in has ended. The message is sent when the page has signed you in again.',
  failed: 'Not sent: {reason}',
  retry: 'Send again',
  discard: 'Delete',
  tooLong: 'The message has {length} characters; at most {most} can be sent.',
  tooLarge: '{name} is larger than 10 MB.',
  tooMany: 'A message takes 10 files. Not taken: {names}',
  downloadFailed: '{name} could not be downloaded.',
  rate: 'How was this conversation?',
  stars: '{score} of 5',
  comment: 'Comment',
  sendRating: 'Send rating',
  thanks: 'Thank you for your rating.',
  ratingFailed: 'The rating was not sent. Try again.',
  emailQuestion: 'Where may we write to you when you are away?',
  email: 'E-mail',
  saveEmail: 'Save',
  skip: 'Skip',
  emailSaved: 'Replies that you miss here go to {address}.',
  sendTranscript: 'Send transcript',
  transcriptSent: 'The conversation is on its way to {address}.',
  transcriptLater: 'The conversation was sent already. Try again in {minutes} min.',
  transcriptFailed: 'The conversation was not sent. Try again.',
}

export type BubbleTexts = Record<keyof typeof bubbleEnglish, string>
export type ChatTexts = Record<keyof typeof chatEnglish, string> & BubbleTexts
/** Texts that replace the English ones; unknown keys are ignored. */
export type GivenTexts = Readonly<Record<string, string>>

/** Puts values into the braces of a text; braces without a value stay. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : braces,
  )
}

export function unreadText({ unread, unreadOne }: BubbleTexts, count: number): string {
  return (count === 1 ? unreadOne : unread).replace('{count}', String(count))
}
