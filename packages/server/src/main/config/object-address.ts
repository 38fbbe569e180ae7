import { z } from 'zod'

export const objectAddressForm = 's3://BUCKET/FOLDER?endpoint=ADDRESS&region=REGION'

/** Whether a setting names a folder in an object store. */
export function isObjectAddress(address: string): boolean {
  const { protocol, host, pathname, searchParams } = URL.parse(address) ?? {}
  if (protocol !== 's3:' || !host || !/^[\w./-]*$/.test(pathname ?? '')) return false
  if (!['path', 'host'].includes(searchParams?.get('style') ?? 'path')) return false
  const endpoint = searchParams?.get('endpoint') ?? undefined
  return endpoint === undefined || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')
}

export const objectKey = z
  .string()
  .regex(/^[^:]+:.+$/, 'must be the id of an access key, a colon and its secret')
  .optional()
