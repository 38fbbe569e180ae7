import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './run-crm.ts'

export function profilesPath(machine: Machine): string {
  return join(machine.configHome, 'crmkit', 'profiles.json')
}

export function readProfiles(machine: Machine): {
  current: string
  profiles: Record<string, Record<string, unknown>>
} {
  return JSON.parse(readFileSync(profilesPath(machine), 'utf8'))
}

export function writeProfiles(machine: Machine, profiles: Record<string, object>, current = 'default'): void {
  mkdirSync(join(machine.configHome, 'crmkit'), { recursive: true, mode: 0o700 })
  writeFileSync(profilesPath(machine), JSON.stringify({ version: 1, current, profiles }), { mode: 0o600 })
}

export function storedSession(name: string, expiresInSeconds: number): object {
  const expiresAt = new Date(Date.now() + expiresInSeconds * 1000).toISOString()
  return { accessToken: `access-${name}`, refreshToken: `refresh-${name}`, expiresAt }
}
