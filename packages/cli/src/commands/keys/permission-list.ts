import type { CreateApiKey } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Choice } from '../../prompts/prompter.ts'

type Permission = CreateApiKey['permissions'][number]

// The contract's own list would load its schemas; a permission that is missing here does not compile.
const descriptions: Readonly<Record<Permission, string>> = {
  'read:conversations': 'Read conversations and messages',
  'write:conversations': 'Create and change conversations and messages',
  'read:customers': 'Read customers',
  'write:customers': 'Create and change customers',
  'webhook:manage': 'Manage webhooks',
  'read:analytics': 'Read analytics',
}

export const permissionNames = Object.keys(descriptions) as Permission[]

export const permissionChoices: readonly Choice<Permission>[] = permissionNames.map((value) => ({
  value,
  description: descriptions[value],
}))

/** Validates the names; `all` means every permission. */
export function parsePermissions(names: readonly string[]): Permission[] {
  if (names.includes('all')) return permissionNames
  return names.map((name) => {
    const known = permissionNames.find((permission) => permission === name)
    if (known) return known
    throw usageError(`There is no permission ${name}.`, `Permissions: ${permissionNames.join(', ')}, or all.`)
  })
}
