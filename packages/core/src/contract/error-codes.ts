/** Every error code of the service with its HTTP status. A code has exactly one status. Source: contract 2. */
export const errorStatus = {
  INVALID_JSON: 400,
  UNSUPPORTED_VERSION: 400,
  AUTH_REQUIRED: 401,
  API_KEY_INVALID: 401,
  API_KEY_INACTIVE: 401,
  API_KEY_EXPIRED: 401,
  TENANT_SUSPENDED: 401,
  PERMISSION_DENIED: 403,
  QUOTA_EXCEEDED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  INVALID_STATE: 409,
  IMPORT_IN_PROGRESS: 409,
  INTEGRATION_INACTIVE: 409,
  REAUTH_REQUIRED: 409,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  ROW_DAMAGED: 500,
  SERVICE_UNAVAILABLE: 503,
  UPGRADE: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** When the service returns each code, for the reference. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  INVALID_JSON: 'the body is not valid JSON',
  UNSUPPORTED_VERSION: '`X-API-Version` names a version that does not exist',
  AUTH_REQUIRED: 'the credential is missing, malformed or expired',
  API_KEY_INVALID: 'the API key is unknown, or is a test key in production',
  API_KEY_INACTIVE: 'the API key is revoked',
  API_KEY_EXPIRED: 'the API key has expired',
  TENANT_SUSPENDED: 'the tenant is suspended',
  PERMISSION_DENIED: 'the permission is missing, the role is too low, or the key does not allow the address',
  QUOTA_EXCEEDED:
    'a limit of the tenant is reached; `details` has its `name`, the `limit` and what is `used`',
  NOT_FOUND: 'the id is unknown, malformed or of another tenant: one response for all three',
  METHOD_NOT_ALLOWED: 'the path does not support the method; see `Allow`',
  CONFLICT: 'a unique value is taken, or a limit on the number of resources is reached',
  IDEMPOTENCY_IN_PROGRESS: 'a request with the same `Idempotency-Key` is still running; see `Retry-After`',
  INVALID_STATE: 'the state of the resource does not allow it; `details` lists what it allows',
  IMPORT_IN_PROGRESS: 'the integration has an active run or undo; `details` has its `runId`',
  INTEGRATION_INACTIVE: 'the integration is switched off',
  REAUTH_REQUIRED: 'the source refuses the stored credentials: a person has to connect again',
  GONE: 'the data of the response was removed, and will not return',
  PAYLOAD_TOO_LARGE: 'the body is too large',
  UNSUPPORTED_MEDIA_TYPE: 'the operation does not accept this content type',
  VALIDATION_ERROR: 'values are wrong; `details` names every one of them',
  IDEMPOTENCY_KEY_REUSED: 'the `Idempotency-Key` was used with another body',
  RATE_LIMIT_EXCEEDED: 'there were too many requests; a request at `resetAt` succeeds',
  INTERNAL_ERROR: 'the service failed',
  ROW_DAMAGED:
    'the stored row cannot be read: the operator finds it with `crm-server doctor`; lists leave it out',
  SERVICE_UNAVAILABLE:
    'the storage is not available at present, or too many passwords wait; repeat the request after `Retry-After`',
  UPGRADE:
    'a newer version has upgraded the database, and this process ends within 30 seconds; repeat the request after `Retry-After`',
}
