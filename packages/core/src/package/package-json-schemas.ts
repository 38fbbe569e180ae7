import { z } from 'zod'
import { packageManifest } from './package-manifest.ts'
import { packageRecords } from './package-records.ts'

/** Returns the JSON Schema of the manifest, and of a line of each kind. */
export function packageJsonSchemas(): Map<string, object> {
  const schemas = Object.entries({ manifest: packageManifest, ...packageRecords })
  return new Map(
    schemas.map(([name, schema]) => [name, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })]),
  )
}
