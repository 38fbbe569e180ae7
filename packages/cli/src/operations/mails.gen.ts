// Generated from the contract by scripts/generate.ts. Do not edit.
import type { InboundMail, MailsListQuery, Page } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const mails = {
  list: operation<MailsListQuery, Page<InboundMail>>({
    name: 'list',
    summary: 'List the mails that arrived, newest first',
    need: 'session',
    fields: [
      {"name":"status","type":"text","text":"only mails in this state","value":"status","choices":["received","processed","parked","ignored"]},
      {"name":"inboxId","type":"text","text":"only mails of this inbox","value":"id"},
    ],
    send: (crm, _id, input) => crm.mails.list(input),
  }),
  get: operation<NoInput, InboundMail>({
    name: 'get',
    summary: 'Get a mail that arrived',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.mails.get(id),
  }),
  processAgain: operation<NoInput, InboundMail>({
    name: 'processAgain',
    summary: 'Process a parked mail again, or one of a sender who was blocked',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.mails.processAgain(id),
  }),
}
