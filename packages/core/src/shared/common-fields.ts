import { z } from 'zod'
import { timestamp } from './text.ts'

/** Fields that most resources have, with the descriptions that the reference shows. */
export const tenantId = z.string().describe('Id of the tenant that owns the resource.')
export const createdAt = timestamp.describe('Time of creation.')
export const updatedAt = timestamp.describe('Time of the last change.')

export function ownId(resource: string) {
  return z.string().describe(`Id of the ${resource}.`)
}

/** The values that a new resource gets from the service. */
export interface NewResource {
  id: string
  tenantId: string
  now: string
}

/** The path parameter `{id}` of the operations on one resource. */
export function byId(resource: string) {
  return z.object({ id: ownId(resource) })
}
