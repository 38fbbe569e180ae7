export const privacyRequestTypes = [
  'deletion',
  'access',
  'rectification',
  'restriction',
  'objection',
] as const
export type PrivacyRequestType = (typeof privacyRequestTypes)[number]

export const privacyRequestStatuses = ['pending', 'processing', 'completed', 'rejected', 'cancelled'] as const
export type PrivacyRequestStatus = (typeof privacyRequestStatuses)[number]

/** A request that still waits for something to be done. */
export function isOpenRequest({ status }: { status: PrivacyRequestStatus }): boolean {
  return status === 'pending' || status === 'processing'
}
