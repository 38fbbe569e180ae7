import { usageError } from '../../cli-error.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Prompter } from '../../prompts/prompter.ts'

interface TenantChoice {
  readonly _id: string
  readonly name: string
}

function isTenantChoice(value: unknown): value is TenantChoice {
  const { _id, name } = (value ?? {}) as Record<string, unknown>
  return typeof _id === 'string' && typeof name === 'string'
}

/** The tenants among which a refused sign-in asks to choose; empty for any other error. */
export function tenantsToChoose(error: unknown): readonly TenantChoice[] {
  const { body } = (error ?? {}) as { body?: unknown }
  const { tenants } = (body ?? {}) as { tenants?: unknown }
  return Array.isArray(tenants) ? tenants.filter(isTenantChoice) : []
}

/** Asks for one of the tenants; without a terminal throws a usage error that names them. */
export async function chooseTenant(prompter: Prompter, tenants: readonly TenantChoice[]): Promise<string> {
  const described = tenants.map(({ _id, name }) => ({ value: _id, description: cleanLine(name) }))
  if (!prompter.isInteractive) {
    const values = described.map(({ value, description }) => `${value} (${description})`).join(', ')
    throw usageError(
      'Missing: --tenant-id. You belong to several tenants.',
      `Pass --tenant-id with one of: ${values}`,
    )
  }
  return prompter.chooseOne(
    'Which tenant?',
    described.map(({ value, description }) => ({ value, name: `${description} (${value})` })),
  )
}
