import { Failure, type FileModule, type Permission } from '@crmkit/core'
import type { Actor } from '../caller.ts'

/** Samples, words and rows of a file hold what customers wrote. Throws PERMISSION_DENIED. */
export function assertMayReadFile(
  { permissions }: Pick<Actor, 'permissions'>,
  { module }: { module: FileModule },
): void {
  const isOfPeople = module === 'Contacts' || module === 'Leads'
  const required: Permission = isOfPeople ? 'read:customers' : 'read:conversations'
  if (permissions.includes(required)) return
  throw new Failure('PERMISSION_DENIED', `This credential does not have the permission ${required}`, {
    extra: { required, granted: permissions },
  })
}
