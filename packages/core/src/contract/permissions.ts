/** The permissions that an API key can have. Source: specification 5.1. */
export const permissions = [
  'read:conversations',
  'write:conversations',
  'read:customers',
  'write:customers',
  'webhook:manage',
  'read:analytics',
] as const
export type Permission = (typeof permissions)[number]

/** Roles from the least to the most powerful. */
export const roles = ['viewer', 'agent', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export function isRoleAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}

const readOnly: readonly Permission[] = ['read:conversations', 'read:customers', 'read:analytics']

/** The permissions of a signed-in user by role. Source: contract 3. */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: readOnly,
  agent: [...readOnly, 'write:conversations', 'write:customers'],
  admin: permissions,
  owner: permissions,
}
