// Generated from the contract by scripts/generate.ts. Do not edit.
import type { DeletionRequestReply, DeletionStatus, MessageReply, PrivacyRequestReply, RequestAccess, RequestDeletion, RequestObjection, RequestRectification, RequestRestriction } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const privacy = {
  requestDeletion: operation<RequestDeletion, DeletionRequestReply>({
    name: 'requestDeletion',
    summary: 'Ask the tenant to delete the data of the signed-in user',
    need: 'session',
    fields: [
      {"name":"reason","type":"text","text":"reason of the person","value":"text","isNullable":true},
    ],
    example: '--reason \'I have left the company\'',
    send: (crm, _id, input) => crm.privacy.requestDeletion(input),
  }),
  deletionStatus: operation<NoInput, DeletionStatus>({
    name: 'deletionStatus',
    summary: 'Get the latest deletion request of the signed-in user',
    need: 'session',
    fields: [],
    send: (crm) => crm.privacy.deletionStatus(),
  }),
  cancelDeletion: operation<NoInput, MessageReply>({
    name: 'cancelDeletion',
    summary: 'Cancel the deletion request of the signed-in user',
    need: 'session',
    fields: [],
    send: (crm) => crm.privacy.cancelDeletion(),
  }),
  requestAccess: operation<RequestAccess, PrivacyRequestReply>({
    name: 'requestAccess',
    summary: 'Ask the tenant which data of the signed-in user it processes',
    need: 'session',
    fields: [
      {"name":"reason","type":"text","text":"reason of the person","value":"text","isNullable":true},
      {"name":"details","type":"text","text":"details of the person","value":"text","isNullable":true},
    ],
    example: '--details \'Which data do you have from the time before 2025?\'',
    send: (crm, _id, input) => crm.privacy.requestAccess(input),
  }),
  requestRectification: operation<RequestRectification, PrivacyRequestReply>({
    name: 'requestRectification',
    summary: 'Ask the tenant to rectify wrong data of the signed-in user',
    need: 'session',
    fields: [
      {"name":"field","type":"text","text":"field to rectify, in your own words","value":"text","isRequired":true},
      {"name":"currentValue","type":"text","text":"value that is wrong","value":"text","isNullable":true},
      {"name":"requestedValue","type":"text","text":"value that is right","value":"text","isRequired":true},
      {"name":"reason","type":"text","text":"reason of the person","value":"text","isNullable":true},
    ],
    example: '--field lastName --requested-value Lovelace',
    send: (crm, _id, input) => crm.privacy.requestRectification(input),
  }),
  requestRestriction: operation<RequestRestriction, PrivacyRequestReply>({
    name: 'requestRestriction',
    summary: 'Ask the tenant to restrict the processing of the signed-in user’s data',
    need: 'session',
    fields: [
      {"name":"reason","type":"text","text":"reason of the person","value":"text","isRequired":true},
      {"name":"details","type":"text","text":"details of the person","value":"text","isNullable":true},
    ],
    example: '--reason \'The accuracy of my data is disputed\'',
    send: (crm, _id, input) => crm.privacy.requestRestriction(input),
  }),
  requestObjection: operation<RequestObjection, PrivacyRequestReply>({
    name: 'requestObjection',
    summary: 'Object to the processing of the signed-in user’s data',
    need: 'session',
    fields: [
      {"name":"reason","type":"text","text":"reason of the person","value":"text","isRequired":true},
      {"name":"details","type":"text","text":"details of the person","value":"text","isNullable":true},
    ],
    example: '--reason \'I do not want my figures to be compared\'',
    send: (crm, _id, input) => crm.privacy.requestObjection(input),
  }),
}
