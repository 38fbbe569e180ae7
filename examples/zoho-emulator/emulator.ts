// Zoho CRM on this machine, with made-up records: `npm run example zoho-emulator -- --contacts 5000 --port 4010`.
import { parseArgs } from 'node:util'
import { type Module, modules } from './src/api.ts'
import { freeLimits } from './src/limits.ts'
import { startEmulator } from './src/start-emulator.ts'

const names = modules.map((module) => [module.toLowerCase(), module] as const)
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    port: { type: 'string', default: '4010' },
    credits: { type: 'string' },
    latency: { type: 'string', default: '0' },
    ...Object.fromEntries(names.map(([name]) => [name, { type: 'string' } as const])),
  },
})
const given = values as Record<string, string | undefined>
const counts = Object.fromEntries(
  names.map(([name, module]): [Module, number] => [module, Number(given[name] ?? 100)]),
)
const emulator = await startEmulator({
  counts,
  port: Number(values.port),
  latencyMs: Number(given['latency']),
  ...freeLimits,
  ...(given['credits'] !== undefined && { credits: Number(given['credits']) }),
})
process.stdout.write(
  `${[
    `Zoho CRM emulator on ${emulator.url}`,
    `CRM_CONNECTOR_HOSTS=${emulator.host} CRM_ZOHO_ACCOUNTS_SERVER=${emulator.url}`,
    `CRM_ZOHO_CLIENT_ID=${emulator.clientId} CRM_ZOHO_CLIENT_SECRET=${emulator.clientSecret}`,
    `Refresh token: ${emulator.oauth.newRefreshToken()}`,
  ].join('\n')}\n`,
)
process.once('SIGINT', () => void emulator.close())
process.once('SIGTERM', () => void emulator.close())
