import type { getRegistration } from '@crmkit/core'
import type { SystemHandler } from '../system-handler.ts'
import { registrationState } from './registration-state.ts'

export const handleGetRegistration: SystemHandler<typeof getRegistration> = async (ctx) => ({
  reply: { success: true, data: await registrationState(ctx) },
})
