import { z } from 'zod'
import { defineOperation, none, session, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { inboundTokenBody } from '../mails/inbound-mail.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery } from '../shared/page.ts'
import { confirmSignInBody, startedSignIn } from '../shared/sign-in.ts'
import { dkimKeyBody, emailTest, emailTestBody, inboxDns } from './email-check.ts'
import {
  createInboxBody,
  eventsToken,
  inbox,
  inboxWithInboundToken,
  inboxWithSecret,
  updateInboxBody,
  widgetSecretBody,
} from './inbox.ts'
import { emailCredentialsBody, emailSignInBody } from './inbox-email.ts'
import { emailSettingsAreComplete } from './inbox-email-rules.ts'
import { mailProviders } from './mail-providers.ts'

const params = byId('inbox')

export const listInboxes = defineOperation({
  id: 'inboxes.list',
  method: 'GET',
  path: '/api/v1/inboxes',
  auth: sessionOrKey('read:conversations'),
  summary: 'List inboxes, newest first',
  request: { query: z.object(pageQuery(20)) },
  status: 200,
  response: listOf(inbox),
})

export const getInbox = defineOperation({
  id: 'inboxes.get',
  method: 'GET',
  path: '/api/v1/inboxes/{id}',
  auth: sessionOrKey('read:conversations'),
  summary: 'Get one inbox',
  request: { params },
  status: 200,
  response: dataOf(inbox),
})

export const createInbox = defineOperation({
  id: 'inboxes.create',
  method: 'POST',
  path: '/api/v1/inboxes',
  auth: session('admin'),
  audit: 'inbox.created',
  summary: 'Create an inbox',
  description:
    'With `autoAssign.enabled`, a new conversation without an assignee is assigned to the next member who is online and has fewer than `maxOpen` open conversations. With `isDefault` it replaces the default inbox so far.',
  request: { body: createInboxBody },
  rules: [emailSettingsAreComplete],
  status: 201,
  response: dataOf(inbox),
})

export const updateInbox = defineOperation({
  id: 'inboxes.update',
  method: 'PUT',
  path: '/api/v1/inboxes/{id}',
  auth: session('admin'),
  audit: 'inbox.updated',
  summary: 'Update an inbox',
  description:
    'An absent field keeps its value. `members`, `autoAssign`, `widget` and `email` are replaced as a whole. There is always exactly one default inbox. An address that another inbox has, also of another tenant, is a conflict. A stored password is removed when the host or the user of its server changes.',
  request: { params, body: updateInboxBody },
  rules: [emailSettingsAreComplete],
  status: 200,
  response: dataOf(inbox),
})

export const deleteInbox = defineOperation({
  id: 'inboxes.delete',
  method: 'DELETE',
  path: '/api/v1/inboxes/{id}',
  auth: session('admin'),
  audit: 'inbox.deleted',
  summary: 'Delete an inbox that is not the default and has no conversations',
  request: { params },
  status: 200,
  response: messageReply,
})

export const makeWidgetSecret = defineOperation({
  id: 'inboxes.makeWidgetSecret',
  method: 'POST',
  path: '/api/v1/inboxes/{id}/widget-secret',
  auth: session('admin'),
  audit: ['inbox.widgetSecretMade', 'inbox.widgetSecretRotated'],
  summary: 'Create or rotate the identity secret of the inbox’s widget; the secret is shown once',
  description:
    'The server of a web page signs the identity of its visitors with this secret. The previous secret stays valid for `overlapSeconds` (default 24 hours).',
  request: { params, body: widgetSecretBody },
  status: 200,
  response: dataOf(inboxWithSecret),
  idempotency: 'secret',
})

export const setEmailCredentials = defineOperation({
  id: 'inboxes.setEmailCredentials',
  method: 'PUT',
  path: '/api/v1/inboxes/{id}/email-credentials',
  auth: session('admin'),
  audit: 'inbox.emailCredentialsChanged',
  summary: 'Set or remove the passwords and keys of the inbox’s e-mail; they are never shown',
  description:
    'An absent field keeps its value, null removes it. A password needs its server in the settings: it is valid for that host and user alone.',
  request: { params, body: emailCredentialsBody },
  status: 200,
  response: dataOf(inbox),
})

export const startEmailSignIn = defineOperation({
  id: 'inboxes.startEmailSignIn',
  method: 'POST',
  path: '/api/v1/inboxes/{id}/email-sign-in',
  auth: session('admin'),
  audit: none('nothing is stored before the sign-in is confirmed, which has the entry'),
  summary: 'Start a sign-in at Google or Microsoft, for a mailbox without a password',
  description:
    'Open `authorizationUrl` in a browser; after the grant, confirm with `state`. Only the person who started can confirm, within 10 minutes. ' +
    'Without a client id in the settings of the server: 422 with the rule `not_configured`.',
  request: { params, body: emailSignInBody },
  status: 200,
  response: dataOf(startedSignIn),
  idempotency: 'never',
  limit: { name: 'signIns', requests: 30, windowSeconds: 3600, per: 'credential' },
})

export const confirmEmailSignIn = defineOperation({
  id: 'inboxes.confirmEmailSignIn',
  method: 'POST',
  path: '/api/v1/mail/oauth/{provider}/confirm',
  auth: session('admin'),
  audit: 'inbox.emailCredentialsChanged',
  summary: 'Store the sign-in at the provider of a mailbox',
  description:
    'The status is 404 until the person has granted access in the browser, and after the state was used; 422 with the rule `denied` when the person has refused. ' +
    'The inbox then uses it where `email.imap.auth` or `email.smtp.auth` is `oauth`.',
  request: {
    params: z.object({ provider: z.enum(mailProviders).describe('Provider of the mailbox.') }),
    body: confirmSignInBody,
  },
  status: 200,
  response: dataOf(inbox),
})

export const endEmailSignIn = defineOperation({
  id: 'inboxes.endEmailSignIn',
  method: 'DELETE',
  path: '/api/v1/inboxes/{id}/email-sign-in',
  auth: session('admin'),
  audit: 'inbox.emailCredentialsChanged',
  summary: 'Remove the sign-in at the provider of the mailbox',
  description:
    'Google ends the grant too; at Microsoft the person removes it. Settings with the auth `oauth` then have no server until somebody signs in again.',
  request: { params },
  status: 200,
  response: dataOf(inbox),
})

export const makeInboundToken = defineOperation({
  id: 'inboxes.makeInboundToken',
  method: 'POST',
  path: '/api/v1/inboxes/{id}/inbound-token',
  auth: session('admin'),
  audit: 'inbox.inboundTokenMade',
  summary: 'Make a new token for the address that receives mail over HTTP, which is shown once',
  description:
    'Mail is posted to `/api/v1/inbound/email/{token}`. The previous token stays valid for `overlapSeconds`, 24 hours by default.',
  request: { params, body: inboundTokenBody },
  status: 200,
  response: dataOf(inboxWithInboundToken),
  idempotency: 'secret',
})

export const makeEventsToken = defineOperation({
  id: 'inboxes.makeEventsToken',
  method: 'POST',
  path: '/api/v1/inboxes/{id}/events-token',
  auth: session('admin'),
  audit: 'inbox.eventsTokenMade',
  summary: 'Make a new token for the address that takes events of a mail provider, which is shown once',
  description:
    'Postmark, SendGrid and Mailgun post deliveries, bounces and complaints to `/api/v1/inbound/events/{token}`. The previous token stays valid for `overlapSeconds`, 24 hours by default.',
  request: { params, body: inboundTokenBody },
  status: 200,
  response: dataOf(eventsToken),
  idempotency: 'secret',
})

export const testEmail = defineOperation({
  id: 'inboxes.testEmail',
  method: 'POST',
  path: '/api/v1/inboxes/{id}/email-test',
  auth: session('admin'),
  audit: none('the mail goes to the caller, and nothing of the tenant changes'),
  summary: 'Test the mail servers of the inbox step by step',
  description:
    'A step that fails is part of the response, which has status 200. The mailbox and the transport are tried, each as far as it is set up. An inbox without either is 409, and the relay of an installation that has none is 503. The words of the relay of the installation are for its operator alone.',
  request: { params, body: emailTestBody },
  status: 200,
  response: dataOf(emailTest),
  limit: { name: 'email-test', requests: 10, windowSeconds: 60, per: 'resource' },
})

export const getInboxDns = defineOperation({
  id: 'inboxes.dns',
  method: 'GET',
  path: '/api/v1/inboxes/{id}/dns',
  auth: session('admin'),
  summary: 'Get the DNS records for the mail of the inbox, with what is published',
  description: 'Looks the records up. An inbox without an address is 409.',
  request: { params },
  mayConflict: true,
  status: 200,
  response: dataOf(inboxDns),
})

export const verifyDomain = defineOperation({
  id: 'inboxes.verifyDomain',
  method: 'POST',
  path: '/api/v1/inboxes/{id}/verify-domain',
  auth: session('admin'),
  audit: 'inbox.domainChecked',
  summary: 'Check whether the DNS proves the domain of the inbox',
  description:
    'With the record `ownership` of `GET /api/v1/inboxes/{id}/dns` the relay sends from the address of the inbox, else from its own. `email.domainProvenAt` is the result. It keeps its value when the name servers do not respond. Another inbox that has proven the same address loses its proof when its record is no longer published; while it is, this is 409.',
  request: { params },
  status: 200,
  response: dataOf(inbox),
})

export const releaseMail = defineOperation({
  id: 'inboxes.releaseMail',
  method: 'POST',
  path: '/api/v1/inboxes/{id}/release-mail',
  auth: session('admin'),
  audit: ['inbox.mailReleased', none('mail that does not rest is left as it is')],
  summary: 'Let the mail of a resting inbox leave again',
  description:
    'An inbox rests when 8 of the 100 newest recipients of 7 days do not exist, or 3 of them report spam. A second release within a day is 409: the operator can make it.',
  request: { params },
  status: 200,
  response: dataOf(inbox),
})

export const makeDkimKey = defineOperation({
  id: 'inboxes.makeDkimKey',
  method: 'POST',
  path: '/api/v1/inboxes/{id}/dkim-key',
  auth: session('admin'),
  audit: 'inbox.dkimKeyMade',
  summary: 'Make a key that signs the mail of the inbox',
  description:
    'An RSA key of 2048 bits, of which only the public part is shown. Mail is signed from then on: publish the record `dkim` of `GET /api/v1/inboxes/{id}/dns`. A new key replaces the present one.',
  request: { params, body: dkimKeyBody },
  status: 200,
  response: dataOf(inbox),
})

export const deleteDkimKey = defineOperation({
  id: 'inboxes.deleteDkimKey',
  method: 'DELETE',
  path: '/api/v1/inboxes/{id}/dkim-key',
  auth: session('admin'),
  audit: 'inbox.dkimKeyDeleted',
  summary: 'Delete the key that signs the mail of the inbox',
  request: { params },
  status: 200,
  response: dataOf(inbox),
})
