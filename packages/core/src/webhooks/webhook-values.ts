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

export const webhookStates = ['healthy', 'failing', 'disabled'] as const
/**
 * `gone`: the receiver sent 410; `failing`: no success for 7 days; `manual`: a caller deactivated it; `permission`: its
 * maker may not read its events any more.
 */
export const disabledReasons = ['gone', 'failing', 'manual', 'permission'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** Counters of a webhook's attempts. */
export interface DeliveryCounts {
  consecutiveFailures: number
  /** The first failure since the last success. */
  failingSince: string | null
  lastSuccessAt: string | null
  lastFailureAt: string | null
}

export const noDeliveries: DeliveryCounts = {
  consecutiveFailures: 0,
  failingSince: null,
  lastSuccessAt: null,
  lastFailureAt: null,
}
