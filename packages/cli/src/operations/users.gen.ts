// Generated from the contract by scripts/generate.ts. Do not edit.
import type { InviteUser, InvitedUser, Mention, MessageReply, OwnUser, Page, SetActivity, UpdateMe, UpdateUser, User, UsersListMentionsQuery, UsersListQuery } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const users = {
  list: operation<UsersListQuery, Page<User>>({
    name: 'list',
    summary: 'List the users of the tenant, newest first',
    need: 'any',
    fields: [],
    send: (crm, _id, input) => crm.users.list(input),
  }),
  create: operation<InviteUser, InvitedUser>({
    name: 'create',
    summary: 'Invite a person to the tenant; the invite token is shown once',
    need: 'session',
    fields: [
      {"name":"email","type":"text","text":"e-mail address that the person signs in with","value":"email","isRequired":true},
      {"name":"role","type":"text","text":"role","value":"role","choices":["viewer","agent","admin","owner"],"isRequired":true},
      {"name":"firstName","type":"text","text":"first name","value":"name","isNullable":true},
      {"name":"lastName","type":"text","text":"last name","value":"name","isNullable":true},
    ],
    example: '--email grace@example.com --role agent',
    send: (crm, _id, input) => crm.users.create(input),
  }),
  inviteAgain: operation<NoInput, InvitedUser>({
    name: 'inviteAgain',
    summary: 'Create a new invite token for a user who has not accepted yet; the earlier token stops working',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.users.inviteAgain(id),
  }),
  me: operation<NoInput, OwnUser>({
    name: 'me',
    summary: 'Get the signed-in user',
    need: 'session',
    fields: [],
    send: (crm) => crm.users.me(),
  }),
  updateMe: operation<UpdateMe, OwnUser>({
    name: 'updateMe',
    summary: 'Update the name, the availability or the image senders of the signed-in user',
    need: 'session',
    fields: [
      {"name":"firstName","type":"text","text":"first name","value":"name","isNullable":true},
      {"name":"lastName","type":"text","text":"last name","value":"name","isNullable":true},
      {"name":"availability","type":"text","text":"sets the mode","value":"availability","choices":["online","away","offline"],"isNullable":true},
      {"name":"availabilityUntil","type":"moment","text":"time from which the mode is auto again, within the next 7 days; only beside availability, such as 2026-11-01","value":"time","isNullable":true},
    ],
    example: '--first-name Ada',
    send: (crm, _id, input) => crm.users.updateMe(input),
  }),
  setActivity: operation<SetActivity, User>({
    name: 'setActivity',
    summary: 'Say whether the signed-in user works with this session',
    need: 'session',
    fields: [
      {"name":"state","type":"text","text":"idle when the person has not touched this session for a minute, active when they do again","value":"state","choices":["active","idle"],"isRequired":true},
    ],
    example: '--state active',
    send: (crm, _id, input) => crm.users.setActivity(input),
  }),
  listMentions: operation<UsersListMentionsQuery, Page<Mention>>({
    name: 'listMentions',
    summary: 'List the notes that mention the signed-in user, newest first',
    need: 'session',
    fields: [
      {"name":"unread","type":"flag","text":"true: only mentions that are not read; false: only the others","value":"text"},
      {"name":"include","type":"list","text":"note: the text of each note and the subject of its conversation, comma separated: note","value":"list","choices":["note"]},
    ],
    send: (crm, _id, input) => crm.users.listMentions(input),
  }),
  get: operation<NoInput, User>({
    name: 'get',
    summary: 'Get one user',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.users.get(id),
  }),
  update: operation<UpdateUser, User>({
    name: 'update',
    summary: 'Update a user: name, availability, role, active or not',
    need: 'session',
    fields: [
      {"name":"firstName","type":"text","text":"first name","value":"name","isNullable":true},
      {"name":"lastName","type":"text","text":"last name","value":"name","isNullable":true},
      {"name":"availability","type":"text","text":"sets the mode","value":"availability","choices":["online","away","offline"],"isNullable":true},
      {"name":"availabilityUntil","type":"moment","text":"time from which the mode is auto again, within the next 7 days; only beside availability, such as 2026-11-01","value":"time","isNullable":true},
      {"name":"role","type":"text","text":"role","value":"role","choices":["viewer","agent","admin","owner"]},
      {"name":"isActive","type":"flag","text":"whether the user can sign in","value":"text"},
    ],
    example: '--role agent',
    send: (crm, id, input) => crm.users.update(id, input),
  }),
  delete: operation<NoInput, MessageReply>({
    name: 'delete',
    summary: 'Remove a user from the tenant',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.users.delete(id),
  }),
}
