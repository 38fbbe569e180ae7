// Generated from the contract by scripts/generate.ts. Do not edit.
import type { DecidePrivacyRequest, Page, PrivacyRequest, PrivacyRequestsListQuery, RejectPrivacyRequest } from '@crmkit/sdk'
import { operation } from './operation.ts'

export const privacyRequests = {
  list: operation<PrivacyRequestsListQuery, Page<PrivacyRequest>>({
    name: 'list',
    summary: 'List the privacy requests of the tenant’s users: open ones first, and of these the overdue ones',
    need: 'session',
    reply: ["_id","tenantId","userId","type","status","reason","details","field","currentValue","requestedValue","notes","rejectionReason","dueAt","isOverdue","processedAt","completedAt","createdAt","updatedAt"],
    fields: [
      {"name":"status","type":"text","text":"only requests in this state","value":"status","choices":["pending","processing","completed","rejected","cancelled"]},
      {"name":"type","type":"text","text":"only requests of this type","value":"type","choices":["deletion","access","rectification","restriction","objection"]},
      {"name":"userId","type":"text","text":"only requests of this user","value":"id"},
    ],
    send: (crm, _id, input) => crm.privacyRequests.list(input),
  }),
  approve: operation<DecidePrivacyRequest, PrivacyRequest>({
    name: 'approve',
    summary: 'Approve a pending privacy request',
    need: 'session',
    reply: ["_id","tenantId","userId","type","status","reason","details","field","currentValue","requestedValue","notes","rejectionReason","dueAt","isOverdue","processedAt","completedAt","createdAt","updatedAt"],
    fields: [
      {"name":"notes","type":"text","text":"notes of the tenant to the person","value":"text","isNullable":true},
    ],
    example: '--notes \'Checked by the data protection officer\'',
    send: (crm, id, input) => crm.privacyRequests.approve(id, input),
  }),
  reject: operation<RejectPrivacyRequest, PrivacyRequest>({
    name: 'reject',
    summary: 'Reject a privacy request',
    need: 'session',
    reply: ["_id","tenantId","userId","type","status","reason","details","field","currentValue","requestedValue","notes","rejectionReason","dueAt","isOverdue","processedAt","completedAt","createdAt","updatedAt"],
    fields: [
      {"name":"rejectionReason","type":"text","text":"reason of the rejection","value":"text","isRequired":true},
      {"name":"notes","type":"text","text":"notes of the tenant to the person","value":"text","isNullable":true},
    ],
    example: '--rejection-reason \'We must keep invoices for ten years\'',
    send: (crm, id, input) => crm.privacyRequests.reject(id, input),
  }),
  complete: operation<DecidePrivacyRequest, PrivacyRequest>({
    name: 'complete',
    summary: 'Complete a privacy request that was approved',
    need: 'session',
    reply: ["_id","tenantId","userId","type","status","reason","details","field","currentValue","requestedValue","notes","rejectionReason","dueAt","isOverdue","processedAt","completedAt","createdAt","updatedAt"],
    fields: [
      {"name":"notes","type":"text","text":"notes of the tenant to the person","value":"text","isNullable":true},
    ],
    example: '--notes \'Sent by mail\'',
    send: (crm, id, input) => crm.privacyRequests.complete(id, input),
  }),
}
