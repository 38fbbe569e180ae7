import { type Row, row } from './row.ts'
import { tests } from './test-files.ts'

/** Rules of e-mail, which the specification names as a channel only. */
export const mailRules: readonly Row[] = [
  row(
    'own.mail.in',
    'A mail is stored with its bytes before it is acknowledged, and stored once',
    tests.mails(
      'becomes a message of a new conversation with its customer, and keeps its bytes',
      'is stored once however often it is posted, also at the same moment',
      'is parked without a sender, and processed again when a person asks',
    ),
    tests.mailDoors(
      'a mail over SMTP is acknowledged only when it is stored, and stored once, when the server dies at %s',
    ),
  ),
  row(
    'own.mail.faults',
    'No mail is lost, and no double is unmarked, whenever the server, the parser or a mail server fails',
    tests.mailFaults(
      'no mail is lost and no double is unmarked when the server, the parser and the mail server fail',
      'no mail is lost and no double is unmarked when the server is killed at the points of mail itself',
    ),
  ),
  row(
    'own.mail.threads',
    'A mail joins a conversation by a signature or by taking part in it, never by a subject or a guess',
    tests.mails(
      'joins by a signed address and by a signed Message-ID, in whatever case the address arrives',
      'joins by a stored Message-ID only for someone who takes part',
      'never joins by a subject, a guessed tag or the tag of another tenant',
    ),
    tests.mailVectors(
      'a stranger joins no conversation by knowledge of its subject, its ids or parts of its signatures',
      'signatures of one tenant are worth nothing in another one',
    ),
  ),
  row(
    'own.mail.images',
    'Images inside a mail are attachments of its tenant; no other image stays',
    tests.mailImages(
      'an image inside a mail is an attachment, and the content shows it by its URL',
      'an image inside a mail is read by its tenant alone',
      'no other image stays: of the web, of another mail, of a file that is no image, or named by a made-up URL',
    ),
  ),
  row(
    'own.mail.recipients',
    'A reply goes to everyone who takes part; a forged sender and a stranger get one only when an agent names them',
    tests.mailRecipients(
      'a reply goes to the last sender, and to everyone of that mail except the addresses of the team',
      'a stranger becomes a participant, and gets replies only when an agent names them, however often they write',
      'a forged sender gets no reply that names nobody',
    ),
  ),
  row(
    'own.mail.out',
    'A reply is queued with its message; each recipient has a status, and nobody gets a mail twice without a mark',
    tests.mailOut(
      'a reply is queued with its message, sent to the customer, and its status is reported',
      'a recipient who is refused for good fails alone, and another attempt goes to nobody who has the mail',
      'a connection that ends after the last byte leaves the outcome unknown: the mail says that it may be doubled',
      'a server that is away leaves the mail queued, and the inbox says why',
      'no text becomes a header or a recipient',
    ),
  ),
  row(
    'own.mail.links',
    'Files beyond 20 MB of a reply are signed links that end after 30 days',
    tests.mailFileLinks(
      'of more than 20 MB the largest files are links in the text and in the HTML, and the others are in the mail',
      'a link that was changed, made up by another tenant, or has ended is 404',
    ),
  ),
  row(
    'own.mail.loops',
    'Two programs that reply to each other end after two mails',
    tests.mailAutoReply(
      'two inboxes with automatic replies that face each other make two mails',
      'machines, lists, forged senders, old mail and the team itself get no automatic reply',
    ),
  ),
]
