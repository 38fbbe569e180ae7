import { join } from 'node:path'
import { packageJsonSchemas } from '../../packages/core/src/package/package-json-schemas.ts'

const folder = 'packages/core/package'

/** Returns the files with the JSON Schemas of a package, by their path. */
export function renderPackageSchemas(root: string): Map<string, string> {
  return new Map(
    [...packageJsonSchemas()].map(([name, schema]) => [
      join(root, folder, `${name}.schema.json`),
      `${JSON.stringify(schema, null, 2)}\n`,
    ]),
  )
}
