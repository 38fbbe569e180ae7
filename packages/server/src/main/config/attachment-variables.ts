import { z } from 'zod'
import { isObjectAddress, objectAddressForm, objectKey } from './object-address.ts'

/** The setting of the place of the attachments' bytes. */
export interface AttachmentConfig {
  /** A folder of an object store and its access key; undefined: beside the rows. */
  attachments: { address: string; key: string } | undefined
}

export const attachmentVariables = {
  CRM_ATTACHMENTS: z.string().refine(isObjectAddress, `must be ${objectAddressForm}`).optional(),
  CRM_ATTACHMENTS_KEY: objectKey,
}

export const attachmentSecrets = ['CRM_ATTACHMENTS_KEY'] as const

interface AttachmentValues {
  CRM_ATTACHMENTS?: string | undefined
  CRM_ATTACHMENTS_KEY?: string | undefined
}

export function attachmentProblems({
  CRM_ATTACHMENTS: address,
  CRM_ATTACHMENTS_KEY: key,
}: AttachmentValues): string[] {
  if (address === undefined || key !== undefined) return []
  return ['CRM_ATTACHMENTS_KEY is required for the object store that CRM_ATTACHMENTS names']
}

export function attachmentSettings({
  CRM_ATTACHMENTS: address,
  CRM_ATTACHMENTS_KEY: key = '',
}: AttachmentValues): AttachmentConfig {
  return { attachments: address === undefined ? undefined : { address, key } }
}
