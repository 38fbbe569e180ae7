import { anyCredential, defineOperation, none, publicAccess, session } from '../contract/define-operation.ts'
import { dataOf, messageReply } from '../contract/envelopes.ts'
import {
  acceptInviteBody,
  changePasswordBody,
  confirmPasswordResetBody,
  invitation,
  invitationBody,
  loginBody,
  meData,
  passwordResetBody,
  refreshBody,
  registerBody,
  registration,
  sessionData,
} from './auth.ts'

export const register = defineOperation({
  id: 'auth.register',
  method: 'POST',
  path: '/api/auth/register',
  auth: publicAccess,
  audit: 'tenant.registered',
  summary: 'Register a tenant with its owner and its default inbox',
  description:
    'An e-mail that already has a password on this server must come with that password. 403 where the operator does not allow it, and for the first tenant without the setup token that it may need.',
  request: { body: registerBody },
  status: 201,
  response: dataOf(sessionData),
  emits: ['user.created'],
  idempotency: 'never',
  limit: { name: 'login', requests: 20, windowSeconds: 60, per: 'address' },
})

export const getRegistration = defineOperation({
  id: 'auth.registration',
  method: 'GET',
  path: '/api/auth/registration',
  auth: publicAccess,
  summary: 'Get whether a tenant can be registered',
  description: 'The operator decides it with `CRM_REGISTRATION`.',
  status: 200,
  response: dataOf(registration),
  limit: { name: 'registration', requests: 60, windowSeconds: 60, per: 'address' },
})

export const login = defineOperation({
  id: 'auth.login',
  method: 'POST',
  path: '/api/auth/login',
  auth: publicAccess,
  audit: 'user.signedIn',
  summary: 'Sign in with e-mail and password',
  description:
    'A person with memberships in several tenants must send `tenantId`: without it the refusal with status 422 names them in `tenants`. The access token expires after 900 seconds.',
  request: { body: loginBody },
  status: 200,
  response: dataOf(sessionData),
  idempotency: 'never',
  onFullDisk: 'admitted',
  limit: { name: 'login', requests: 20, windowSeconds: 60, per: 'address' },
})

export const refresh = defineOperation({
  id: 'auth.refresh',
  method: 'POST',
  path: '/api/auth/refresh',
  auth: publicAccess,
  audit: none('a session that goes on: its sign-in has the entry'),
  summary: 'Exchange a refresh token for a new pair of tokens',
  description: 'A refresh token works once. Using it a second time ends the session.',
  request: { body: refreshBody },
  status: 200,
  response: dataOf(sessionData),
  idempotency: 'never',
  onFullDisk: 'admitted',
})

export const acceptInvite = defineOperation({
  id: 'auth.acceptInvite',
  method: 'POST',
  path: '/api/auth/accept-invite',
  auth: publicAccess,
  audit: 'user.inviteAccepted',
  summary: 'Accept an invitation and sign in',
  description:
    'An e-mail that is new to this server gets this password. An e-mail that already has one must come with that password, even while all its users are inactive. Somebody else may have used the e-mail before: with `separate` a password of your own is accepted for this tenant, and signs in to no other one.',
  request: { body: acceptInviteBody },
  status: 200,
  response: dataOf(sessionData),
  emits: ['user.updated'],
  idempotency: 'never',
  limit: { name: 'login', requests: 20, windowSeconds: 60, per: 'address' },
})

export const getInvitation = defineOperation({
  id: 'auth.invitation',
  method: 'POST',
  path: '/api/auth/invitation',
  auth: publicAccess,
  audit: none('it changes nothing: the acceptance has the entry'),
  summary: 'Get the team, the inviter and the address of an invitation',
  description:
    'It says nothing about a password that the e-mail may have. A wrong, used or expired token is 401.',
  request: { body: invitationBody },
  status: 200,
  response: dataOf(invitation),
  idempotency: 'never',
  onFullDisk: 'admitted',
  limit: { name: 'login', requests: 20, windowSeconds: 60, per: 'address' },
})

export const logout = defineOperation({
  id: 'auth.logout',
  method: 'POST',
  path: '/api/auth/logout',
  auth: session(),
  audit: none('the end of a session gives nobody an access: its sign-in has the entry'),
  summary: 'End the session immediately, access tokens included',
  status: 200,
  response: messageReply,
  idempotency: 'never',
  onFullDisk: 'admitted',
})

export const me = defineOperation({
  id: 'auth.me',
  method: 'GET',
  path: '/api/auth/me',
  auth: anyCredential,
  summary: 'Get the owner of the credential: the signed-in user with all memberships, or the API key',
  status: 200,
  response: dataOf(meData),
})

export const changePassword = defineOperation({
  id: 'auth.changePassword',
  method: 'PUT',
  path: '/api/auth/password',
  auth: session(),
  audit: 'user.passwordChanged',
  summary: 'Change the password; all other sessions end',
  request: { body: changePasswordBody },
  status: 200,
  response: messageReply,
  onFullDisk: 'admitted',
})

export const requestPasswordReset = defineOperation({
  id: 'auth.requestPasswordReset',
  method: 'POST',
  path: '/api/auth/password-reset',
  auth: publicAccess,
  audit: none('anybody can ask for any address: the password that is set has the entry'),
  summary: 'Send a link for a new password to an e-mail address',
  description:
    'The response is the same for every address, known or not. An address gets at most three mails an hour; the link of an earlier mail becomes invalid. Without a mail relay the response is 503 for every address.',
  request: { body: passwordResetBody },
  status: 200,
  response: messageReply,
  idempotency: 'never',
  onFullDisk: 'admitted',
  limit: { name: 'login', requests: 20, windowSeconds: 60, per: 'address' },
})

export const confirmPasswordReset = defineOperation({
  id: 'auth.confirmPasswordReset',
  method: 'POST',
  path: '/api/auth/password-reset/confirm',
  auth: publicAccess,
  audit: 'user.passwordReset',
  summary: 'Set a new password with the token of a mail, and sign in; all other sessions end',
  description:
    'A token works once, within 30 minutes. A refused password and a missing `tenantId` leave it valid. A person with memberships in several tenants must send `tenantId`: without it the refusal with status 422 names them in `tenants`.',
  request: { body: confirmPasswordResetBody },
  status: 200,
  response: dataOf(sessionData),
  idempotency: 'never',
  onFullDisk: 'admitted',
  limit: { name: 'login', requests: 20, windowSeconds: 60, per: 'address' },
})
