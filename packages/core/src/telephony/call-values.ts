export const callKinds = ['call', 'task', 'meeting'] as const
export const callDirections = ['inbound', 'outbound'] as const

/** From the first to the last. A call never goes back; `completed` and `failed` are both the end. */
export const callStatuses = ['initiated', 'ringing', 'answered', 'completed', 'failed'] as const
export type CallStatus = (typeof callStatuses)[number]
