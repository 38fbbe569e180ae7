// HubSpot on this machine, with made-up records: `npm run example hubspot-emulator -- --contacts 5000 --port 4020`.
import { parseArgs } from 'node:util'
import { vendorLimits } from './src/limits.ts'
import { type ObjectType, objectTypes } from './src/objects.ts'
import { startEmulator } from './src/start-emulator.ts'

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    port: { type: 'string', default: '4020' },
    latency: { type: 'string', default: '0' },
    threads: { type: 'string', default: '100' },
    ...Object.fromEntries(objectTypes.map((type) => [type, { type: 'string' } as const])),
  },
})
const given = values as Record<string, string | undefined>
const counts = Object.fromEntries(
  objectTypes.map((type): [ObjectType, number] => [type, Number(given[type] ?? 100)]),
)
const emulator = await startEmulator({
  counts,
  threads: Number(given['threads']),
  port: Number(values.port),
  latencyMs: Number(given['latency']),
  limits: vendorLimits,
})
process.stdout.write(
  `${[
    `HubSpot emulator on ${emulator.url}`,
    `CRM_CONNECTOR_HOSTS=${emulator.host} CRM_HUBSPOT_API_DOMAIN=${emulator.url}`,
    `CRM_HUBSPOT_ACCOUNTS_SERVER=${emulator.url}`,
    `CRM_HUBSPOT_CLIENT_ID=${emulator.clientId} CRM_HUBSPOT_CLIENT_SECRET=${emulator.clientSecret}`,
    `Service key: ${emulator.newServiceKey()}`,
  ].join('\n')}\n`,
)
process.once('SIGINT', () => void emulator.close())
process.once('SIGTERM', () => void emulator.close())
