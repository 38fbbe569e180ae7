// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiKey, ApiKeyUsage, ApiKeysListQuery, ApiKeysUsageQuery, CreateApiKey, CreatedApiKey, MessageReply, Page, RotateApiKey, UpdateApiKey } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const apiKeys = {
  list: operation<ApiKeysListQuery, Page<ApiKey>>({
    name: 'list',
    summary: 'List API keys, newest first',
    need: 'session',
    reply: ["_id","tenantId","name","displayName","environment","permissions","keyPrefix","keyHint","isActive","expiresAt","rotationPolicy","rateLimit","ipWhitelist","createdBy","lastUsedAt","revokedAt","replacedBy","rotationDueAt","rotationDueSoon","rotationOverdue","createdAt","updatedAt"],
    fields: [
      {"name":"environment","type":"text","text":"only keys of this environment","value":"environment","choices":["production","staging"]},
      {"name":"isActive","type":"flag","text":"only active keys (true) or only revoked ones (false)","value":"text"},
    ],
    send: (crm, _id, input) => crm.apiKeys.list(input),
  }),
  create: operation<CreateApiKey, CreatedApiKey>({
    name: 'create',
    summary: 'Create an API key; the key itself is shown once',
    need: 'session',
    reply: ["_id","tenantId","name","displayName","environment","permissions","keyPrefix","keyHint","isActive","expiresAt","rotationPolicy","rateLimit","ipWhitelist","createdBy","lastUsedAt","revokedAt","replacedBy","rotationDueAt","rotationDueSoon","rotationOverdue","createdAt","updatedAt","key"],
    fields: [
      {"name":"name","type":"text","text":"name that people recognise the key by","value":"name","isRequired":true},
      {"name":"permissions","type":"list","text":"permissions that the key grants, comma separated: read:conversations, write:conversations, read:customers, write:customers, webhook:manage, read:analytics","value":"list","choices":["read:conversations","write:conversations","read:customers","write:customers","webhook:manage","read:analytics"],"isRequired":true},
      {"name":"environment","type":"text","text":"environment of the key; default: production","value":"environment","choices":["production","staging"],"isNullable":true},
      {"name":"displayName","type":"text","text":"name that customers read as the author of what is written with the key","value":"name","isNullable":true},
      {"name":"expiresAt","type":"moment","text":"time from which the key is refused as expired, such as 2026-11-01","value":"time","isNullable":true},
      {"name":"ipWhitelist","type":"list","text":"IP addresses and CIDR blocks that may use the key, comma separated","value":"list","isNullable":true},
    ],
    example: '--name \'Billing system\' --permissions read:customers,write:customers',
    send: (crm, _id, input) => crm.apiKeys.create(input),
  }),
  get: operation<NoInput, ApiKey>({
    name: 'get',
    summary: 'Get one API key',
    need: 'session',
    reply: ["_id","tenantId","name","displayName","environment","permissions","keyPrefix","keyHint","isActive","expiresAt","rotationPolicy","rateLimit","ipWhitelist","createdBy","lastUsedAt","revokedAt","replacedBy","rotationDueAt","rotationDueSoon","rotationOverdue","createdAt","updatedAt"],
    fields: [],
    send: (crm, id) => crm.apiKeys.get(id),
  }),
  update: operation<UpdateApiKey, ApiKey>({
    name: 'update',
    summary: 'Update an API key; the change takes effect with the next request',
    need: 'session',
    reply: ["_id","tenantId","name","displayName","environment","permissions","keyPrefix","keyHint","isActive","expiresAt","rotationPolicy","rateLimit","ipWhitelist","createdBy","lastUsedAt","revokedAt","replacedBy","rotationDueAt","rotationDueSoon","rotationOverdue","createdAt","updatedAt"],
    fields: [
      {"name":"name","type":"text","text":"name that people recognise the key by","value":"name"},
      {"name":"permissions","type":"list","text":"permissions that the key grants, comma separated: read:conversations, write:conversations, read:customers, write:customers, webhook:manage, read:analytics","value":"list","choices":["read:conversations","write:conversations","read:customers","write:customers","webhook:manage","read:analytics"]},
      {"name":"isActive","type":"flag","text":"false for a revoked key, which is refused","value":"text"},
      {"name":"displayName","type":"text","text":"name that customers read as the author of what is written with the key","value":"name","isNullable":true},
      {"name":"expiresAt","type":"moment","text":"time from which the key is refused as expired, such as 2026-11-01","value":"time","isNullable":true},
      {"name":"ipWhitelist","type":"list","text":"IP addresses and CIDR blocks that may use the key, comma separated","value":"list","isNullable":true},
    ],
    example: '--name \'Billing system, new\'',
    send: (crm, id, input) => crm.apiKeys.update(id, input),
  }),
  usage: operation<ApiKeysUsageQuery, ApiKeyUsage>({
    name: 'usage',
    summary: 'Count the requests of a key in a month, by endpoint and by method',
    need: 'session',
    reply: ["month","totalRequests","requestsByEndpoint","requestsByMethod"],
    fields: [
      {"name":"month","type":"text","text":"month in UTC, YYYY-MM; default: the current one","value":"text"},
    ],
    send: (crm, id, input) => crm.apiKeys.usage(id, input),
  }),
  rotate: operation<RotateApiKey, CreatedApiKey>({
    name: 'rotate',
    summary: 'Rotate an API key: create its successor with the same settings; the new key is shown once',
    need: 'session',
    reply: ["_id","tenantId","name","displayName","environment","permissions","keyPrefix","keyHint","isActive","expiresAt","rotationPolicy","rateLimit","ipWhitelist","createdBy","lastUsedAt","revokedAt","replacedBy","rotationDueAt","rotationDueSoon","rotationOverdue","createdAt","updatedAt","key"],
    fields: [
      {"name":"overlapSeconds","type":"integer","text":"seconds for which the old key still works; default: 86400","value":"number","isNullable":true},
    ],
    example: '--overlap-seconds 3600',
    send: (crm, id, input) => crm.apiKeys.rotate(id, input),
  }),
  revoke: operation<NoInput, ApiKey>({
    name: 'revoke',
    summary: 'Revoke an API key immediately',
    need: 'session',
    reply: ["_id","tenantId","name","displayName","environment","permissions","keyPrefix","keyHint","isActive","expiresAt","rotationPolicy","rateLimit","ipWhitelist","createdBy","lastUsedAt","revokedAt","replacedBy","rotationDueAt","rotationDueSoon","rotationOverdue","createdAt","updatedAt"],
    fields: [],
    send: (crm, id) => crm.apiKeys.revoke(id),
  }),
  delete: operation<NoInput, MessageReply>({
    name: 'delete',
    summary: 'Permanently delete an API key',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.apiKeys.delete(id),
  }),
}
