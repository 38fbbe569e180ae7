// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ConfirmIntegration, CreateInbox, EmailTest, EventsToken, Inbox, InboxDns, InboxWithInboundToken, InboxWithWidgetSecret, InboxesListQuery, MakeDkimKey, MakeInboundToken, MakeWidgetSecret, MessageReply, Page, SetEmailCredentials, StartEmailSignIn, StartedSignIn, TestEmail, UpdateInbox } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const inboxes = {
  list: operation<InboxesListQuery, Page<Inbox>>({
    name: 'list',
    summary: 'List inboxes, newest first',
    need: 'any',
    fields: [],
    send: (crm, _id, input) => crm.inboxes.list(input),
  }),
  get: operation<NoInput, Inbox>({
    name: 'get',
    summary: 'Get one inbox',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.inboxes.get(id),
  }),
  create: operation<CreateInbox, Inbox>({
    name: 'create',
    summary: 'Create an inbox',
    need: 'session',
    fields: [
      {"name":"name","type":"text","text":"name of the inbox","value":"name","isRequired":true},
      {"name":"channel","type":"text","text":"channel that the inbox receives; default: email","value":"channel","choices":["email","chat","phone","whatsapp","instagram","twitter","facebook","sms"],"isNullable":true},
      {"name":"isActive","type":"flag","text":"whether the inbox is in use; default: true","value":"text","isNullable":true},
      {"name":"isDefault","type":"flag","text":"make this the default inbox of the tenant","value":"text","isNullable":true},
      {"name":"members","type":"list","text":"ids of the users who work in the inbox, comma separated","value":"list","isNullable":true},
    ],
    example: '--name Support',
    send: (crm, _id, input) => crm.inboxes.create(input),
  }),
  update: operation<UpdateInbox, Inbox>({
    name: 'update',
    summary: 'Update an inbox',
    need: 'session',
    fields: [
      {"name":"name","type":"text","text":"name of the inbox","value":"name"},
      {"name":"channel","type":"text","text":"channel that the inbox receives","value":"channel","choices":["email","chat","phone","whatsapp","instagram","twitter","facebook","sms"],"isNullable":true},
      {"name":"isActive","type":"flag","text":"whether the inbox is in use","value":"text","isNullable":true},
      {"name":"isDefault","type":"flag","text":"make this the default inbox of the tenant","value":"text","isNullable":true},
      {"name":"members","type":"list","text":"ids of the users who work in the inbox, comma separated","value":"list","isNullable":true},
    ],
    example: '--is-default',
    send: (crm, id, input) => crm.inboxes.update(id, input),
  }),
  delete: operation<NoInput, MessageReply>({
    name: 'delete',
    summary: 'Delete an inbox that is not the default and has no conversations',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.inboxes.delete(id),
  }),
  makeWidgetSecret: operation<MakeWidgetSecret, InboxWithWidgetSecret>({
    name: 'makeWidgetSecret',
    summary: 'Create or rotate the identity secret of the inbox’s widget; the secret is shown once',
    need: 'session',
    fields: [
      {"name":"overlapSeconds","type":"integer","text":"seconds for which the previous secret stays valid; 0 ends it immediately; default: 86400","value":"number","isNullable":true},
    ],
    example: '--overlap-seconds 86400',
    send: (crm, id, input) => crm.inboxes.makeWidgetSecret(id, input),
  }),
  setEmailCredentials: operation<SetEmailCredentials, Inbox>({
    name: 'setEmailCredentials',
    summary: 'Set or remove the passwords and keys of the inbox’s e-mail; they are never shown',
    need: 'session',
    fields: [
      {"name":"smtpPassword","type":"text","text":"password for the SMTP server of the inbox","value":"text","isNullable":true},
      {"name":"imapPassword","type":"text","text":"password for the mailbox of the inbox","value":"text","isNullable":true},
      {"name":"mailgunSigningKey","type":"text","text":"key that Mailgun signs its requests with","value":"text","isNullable":true},
      {"name":"sendgridVerificationKey","type":"text","text":"public key of the signed event webhook of SendGrid, as it shows it","value":"text","isNullable":true},
    ],
    example: '--smtp-password \'correct horse battery staple\'',
    send: (crm, id, input) => crm.inboxes.setEmailCredentials(id, input),
  }),
  startEmailSignIn: operation<StartEmailSignIn, StartedSignIn>({
    name: 'startEmailSignIn',
    summary: 'Start a sign-in at Google or Microsoft, for a mailbox without a password',
    need: 'session',
    fields: [
      {"name":"provider","type":"text","text":"provider of the mailbox","value":"provider","choices":["google","microsoft"],"isRequired":true},
      {"name":"mailbox","type":"text","text":"address of a shared mailbox at Microsoft that the person may use; default: the mailbox of the person","value":"text","isNullable":true},
    ],
    example: '--provider google',
    send: (crm, id, input) => crm.inboxes.startEmailSignIn(id, input),
  }),
  confirmEmailSignIn: operation<ConfirmIntegration, Inbox>({
    name: 'confirmEmailSignIn',
    summary: 'Store the sign-in at the provider of a mailbox',
    need: 'session',
    fields: [
      {"name":"state","type":"text","text":"state of the sign-in","value":"text","isRequired":true},
    ],
    example: '--state Zm9yLXRoZS1leGFtcGxl',
    send: (crm, id, input) => crm.inboxes.confirmEmailSignIn(id, input),
  }),
  endEmailSignIn: operation<NoInput, Inbox>({
    name: 'endEmailSignIn',
    summary: 'Remove the sign-in at the provider of the mailbox',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.inboxes.endEmailSignIn(id),
  }),
  makeInboundToken: operation<MakeInboundToken, InboxWithInboundToken>({
    name: 'makeInboundToken',
    summary: 'Make a new token for the address that receives mail over HTTP, which is shown once',
    need: 'session',
    fields: [
      {"name":"overlapSeconds","type":"integer","text":"seconds for which the previous secret stays valid; 0 ends it immediately; default: 86400","value":"number","isNullable":true},
    ],
    example: '--overlap-seconds 86400',
    send: (crm, id, input) => crm.inboxes.makeInboundToken(id, input),
  }),
  makeEventsToken: operation<MakeInboundToken, EventsToken>({
    name: 'makeEventsToken',
    summary: 'Make a new token for the address that takes events of a mail provider, which is shown once',
    need: 'session',
    fields: [
      {"name":"overlapSeconds","type":"integer","text":"seconds for which the previous secret stays valid; 0 ends it immediately; default: 86400","value":"number","isNullable":true},
    ],
    example: '--overlap-seconds 86400',
    send: (crm, id, input) => crm.inboxes.makeEventsToken(id, input),
  }),
  testEmail: operation<TestEmail, EmailTest>({
    name: 'testEmail',
    summary: 'Test the mail servers of the inbox step by step',
    need: 'session',
    fields: [
      {"name":"to","type":"text","text":"address that gets a test mail; without one the test ends before a mail is sent","value":"number","isNullable":true},
    ],
    example: '--to ada@example.com',
    send: (crm, id, input) => crm.inboxes.testEmail(id, input),
  }),
  dns: operation<NoInput, InboxDns>({
    name: 'dns',
    summary: 'Get the DNS records for the mail of the inbox, with what is published',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.inboxes.dns(id),
  }),
  verifyDomain: operation<NoInput, Inbox>({
    name: 'verifyDomain',
    summary: 'Check whether the DNS proves the domain of the inbox',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.inboxes.verifyDomain(id),
  }),
  releaseMail: operation<NoInput, Inbox>({
    name: 'releaseMail',
    summary: 'Let the mail of a resting inbox leave again',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.inboxes.releaseMail(id),
  }),
  makeDkimKey: operation<MakeDkimKey, Inbox>({
    name: 'makeDkimKey',
    summary: 'Make a key that signs the mail of the inbox',
    need: 'session',
    fields: [
      {"name":"selector","type":"text","text":"name of the key in the DNS; default: crm1, or crm2 when the present key is crm1","value":"text","isNullable":true},
    ],
    example: '--selector crm1',
    send: (crm, id, input) => crm.inboxes.makeDkimKey(id, input),
  }),
  deleteDkimKey: operation<NoInput, Inbox>({
    name: 'deleteDkimKey',
    summary: 'Delete the key that signs the mail of the inbox',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.inboxes.deleteDkimKey(id),
  }),
}
