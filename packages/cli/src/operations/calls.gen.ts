// Generated from the contract by scripts/generate.ts. Do not edit.
import type { Call, CallMetadata, CallsListQuery, CreateCall, Page } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const calls = {
  list: operation<CallsListQuery, Page<Call>>({
    name: 'list',
    summary: 'List calls, newest first',
    need: 'session',
    reply: ["_id","tenantId","kind","externalIds","callSid","conversationId","customerId","candidates","agentId","direction","from","to","status","failureReason","startedAt","answeredAt","endedAt","durationSeconds","recording","metadata","createdAt","updatedAt"],
    fields: [
      {"name":"status","type":"text","text":"only calls in this state","value":"status","choices":["initiated","ringing","answered","completed","failed"]},
      {"name":"customerId","type":"text","text":"only calls with this customer","value":"id"},
      {"name":"conversationId","type":"text","text":"only calls of this conversation","value":"id"},
      {"name":"agentId","type":"text","text":"only calls of this user","value":"id"},
    ],
    send: (crm, _id, input) => crm.calls.list(input),
  }),
  create: operation<CreateCall, Call>({
    name: 'create',
    summary: 'Record a call that a person makes or takes',
    need: 'session',
    reply: ["_id","tenantId","kind","externalIds","callSid","conversationId","customerId","candidates","agentId","direction","from","to","status","failureReason","startedAt","answeredAt","endedAt","durationSeconds","recording","metadata","createdAt","updatedAt"],
    fields: [
      {"name":"to","type":"text","text":"number that is called, in E.164 form such as +15551234567","value":"number","isRequired":true},
      {"name":"from","type":"text","text":"number of the caller in E.164 form","value":"number","isNullable":true},
      {"name":"direction","type":"text","text":"direction, seen from the team; default: outbound","value":"direction","choices":["inbound","outbound"],"isNullable":true},
      {"name":"customerId","type":"text","text":"id of the customer","value":"id","isNullable":true},
      {"name":"conversationId","type":"text","text":"id of the conversation that the call belongs to","value":"id","isNullable":true},
      {"name":"agentId","type":"text","text":"id of the user who makes or takes the call; default: the signed-in user","value":"id","isNullable":true},
    ],
    example: '--to +15551234567',
    send: (crm, _id, input) => crm.calls.create(input),
  }),
  get: operation<NoInput, Call>({
    name: 'get',
    summary: 'Get one call',
    need: 'session',
    reply: ["_id","tenantId","kind","externalIds","callSid","conversationId","customerId","candidates","agentId","direction","from","to","status","failureReason","startedAt","answeredAt","endedAt","durationSeconds","recording","metadata","createdAt","updatedAt"],
    fields: [],
    send: (crm, id) => crm.calls.get(id),
  }),
  updateMetadata: operation<CallMetadata, Call>({
    name: 'updateMetadata',
    summary: 'Update notes, tags and rating of a call',
    need: 'session',
    reply: ["_id","tenantId","kind","externalIds","callSid","conversationId","customerId","candidates","agentId","direction","from","to","status","failureReason","startedAt","answeredAt","endedAt","durationSeconds","recording","metadata","createdAt","updatedAt"],
    fields: [
      {"name":"notes","type":"text","text":"notes of the team","value":"text","isNullable":true},
      {"name":"tags","type":"list","text":"tags, unique without regard to case, comma separated","value":"list","isNullable":true},
      {"name":"rating","type":"integer","text":"rating by the team, 1 to 5","value":"number","isNullable":true},
    ],
    example: '--notes \'Asked for an invoice\'',
    send: (crm, id, input) => crm.calls.updateMetadata(id, input),
  }),
}
