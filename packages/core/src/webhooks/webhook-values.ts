export const backoffStrategies = ['linear', 'exponential'] as const
export const deliveryStatuses = ['pending', 'success', 'failed'] as const
export const deliveryErrorCodes = [
  'DNS',
  'CONNECT',
  'TLS',
  'TIMEOUT',
  'STATUS',
  'REDIRECT',
  'BLOCKED',
  'BODY',
  'ERASED',
] as const
export type DeliveryErrorCode = (typeof deliveryErrorCodes)[number]
