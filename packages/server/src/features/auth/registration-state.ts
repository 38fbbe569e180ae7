import type { SystemContext } from '../system-handler.ts'

interface RegistrationState {
  open: boolean
  /** Whether the next tenant is the first one of this server. */
  first: boolean
  /** Whether the next registration needs the setup token. */
  setupToken: boolean
}

export async function registrationState({
  system,
  services: { registration, needsSetupToken },
}: Pick<SystemContext, 'system' | 'services'>): Promise<RegistrationState> {
  const first = !(await system.hasTenants())
  const open = registration === 'open' || (registration === 'first' && first)
  return { open, first, setupToken: open && needsSetupToken }
}
