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
    'own.mail.doors',
    'Mail comes in over HTTP in the forms of the providers, and over SMTP to addresses of this service alone',
    tests.mails(
      'takes the forms of Mailgun, SendGrid and Postmark',
      'demands the signature of Mailgun once its key is set, each one once and of the last minutes',
      'is refused for later beyond 1,200 requests a minute at one address, and not at another',
    ),
    tests.smtpDoor(
      'only addresses of this service are accepted: everybody else, open relaying and a sign-in are refused',
      'a mail whose connection ends before its last byte is not stored, and one that ends after it is',
      'while the storage is away the response is 451, and nothing is stored',
    ),
  ),
  row(
    'own.mail.imap.cursor',
    'A mailbox is read from the stored position: a pause, a crash or a new UIDVALIDITY loses and doubles no mail',
    tests.imap(
      'mail that arrives while the service or the server is away is read afterwards, once',
      'after a change of UIDVALIDITY no mail is lost, doubled, or older than the start of the reading',
      'with `since` the first reading begins at that moment',
      'a mail that is too long is stored parked by its header, and blocks none after it',
    ),
    tests.hostileImap(
      'UIDs that are repeated, invalid, lower than the last one or not asked for neither double nor block a mail',
    ),
    tests.mailboxKills('a mailbox is read without a lost or a doubled mail when the server dies at %s'),
  ),
  row(
    'own.mail.imap.holder',
    'One process holds the one connection of a mailbox, and another one takes over within 30 seconds of its death',
    tests.imapTakeover(
      'a mailbox is read by one process at a time, and when that is killed soon by another one, without a lost or a doubled mail',
    ),
    tests.fetchMail(
      'a lease and a poll leave time to sign in within the 30 seconds that a takeover may last',
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
      'a refused sign-in leaves the mail queued, the inbox says why, and another password is tried immediately',
      'no text becomes a header or a recipient',
    ),
  ),
  row(
    'own.mail.takeBack',
    'A reply is taken back while its delay lasts; a failed one is sent again with the same Message-ID',
    tests.mailOut(
      'a reply can be taken back while its delay lasts, and not after it',
      'a mail that is refused for good fails, and is sent again with the same Message-ID when somebody asks',
    ),
  ),
  row(
    'own.mail.secrets',
    'Passwords of mail servers are sealed, never answered, valid for one host and user, and for no host inside the network',
    tests.inboxEmail(
      'passwords are sealed, never shown, and removed by null',
      'a password is valid for one host and user: another host does not get it',
    ),
    tests.inboxMailSetup('a refused password is said without the password'),
    tests.mailOut('a mail server of an inbox may not be another service of this network'),
  ),
  row(
    'own.mail.domain',
    'Mail is signed with DKIM; From is the address of the inbox only with its own server or a proven domain',
    tests.inboxMailSetup(
      'every mail of the inbox is signed, and the signature is right with the published key alone',
      'a deleted key signs nothing, and another domain begins without one',
      'the relay sends from the address of an inbox once its domain is proven, until the domain changes',
      'each record is shown with what is published, and is right only with the right value',
    ),
  ),
  row(
    'own.mail.setup',
    'A test of the settings names each step with its time and the first problem in one sentence',
    tests.inboxMailSetup(
      'every step is reported with its time, and a mail is sent to the address that is named',
      'the words of the relay of the installation stay with its operator',
    ),
    tests.imap('each step of the test of a mailbox is named with its time, up to the first that fails'),
  ),
  row(
    'own.mail.bounces',
    'A report about a mail of ours fails its recipient and suppresses an address; nobody can suppress a stranger',
    tests.suppressedAddresses(
      'a report that the address does not exist fails the recipient, suppresses the address, and emits the change',
      'a suppressed address gets no mail until it is deleted from the list, and others of the mail get theirs',
      'nobody suppresses a stranger: a report that names nothing of ours is an ordinary mail of a machine',
    ),
  ),
  row(
    'own.mail.system',
    'Invitations and links for a new password are mailed; a response says nothing about an address',
    tests.passwordReset(
      'the mailed link sets a new password once, signs in, and ends all other sessions',
      'neither the token nor its mail is stored in plain text',
      'an unknown address gets the same response and no mail',
      'an address gets three mails an hour, also without rate limits, and only the newest link works',
      'a refused password leaves the link valid; a wrong, changed or expired one gets one response',
      'the link never follows the Host header',
      'the invited person gets the link by mail, and the response still holds the token',
      'system mail leaves through the relay, from the address of the installation, with links to CRM_BASE_URL',
    ),
  ),
  row(
    'own.mail.erasure',
    'A mail is erased and exported with its message, its conversation or its customer, also one that became no message',
    tests.mails('is erased with its conversation: its row and its bytes'),
    tests.mailErasure(
      'mails of a customer that became no message are exported and erased with the customer',
      'a report and a second copy of a mail are erased with the conversation that they are about',
    ),
    tests.suppressedAddresses('a suppressed address is exported and erased with its customer'),
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
