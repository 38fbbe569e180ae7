/**
 * Every error code the service can answer with, and the HTTP status that goes with it.
 * Source: the contract's error table. A code has exactly one status.
 */
export const errorStatus = {
  INVALID_JSON: 400,
  UNSUPPORTED_VERSION: 400,
  AUTH_REQUIRED: 401,
  API_KEY_INVALID: 401,
  API_KEY_INACTIVE: 401,
  API_KEY_EXPIRED: 401,
  TENANT_SUSPENDED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  INVALID_STATE: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof errorStatus
