// `node scripts/vendor-fields.ts VENDOR DOCUMENT.json FETCHED-AT`: writes `examples/VENDOR-emulator/fields.json`, the names of the
// fields that the vendor's public OpenAPI document gives its objects. The document itself is not part of the repository.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vendors } from './vendor-fields/vendors.ts'

type Schema = {
  properties?: Record<string, Schema>
  allOf?: Schema[]
  $ref?: string
  description?: string
  writeOnly?: boolean
}

const [name = '', path = '', fetchedAt = ''] = process.argv.slice(2)
const vendor = vendors[name]
if (vendor === undefined || path === '' || !/^\d{4}-\d{2}-\d{2}$/.test(fetchedAt))
  throw new Error('Usage: node scripts/vendor-fields.ts VENDOR DOCUMENT.json FETCHED-AT (YYYY-MM-DD)')
const document = JSON.parse(readFileSync(path, 'utf8'))
const schemas: Record<string, Schema> = document.components.schemas

/** The properties of a schema and of all that it is made of. */
function propertiesOf(schema: Schema): Record<string, Schema> {
  const referred =
    schema.$ref === undefined ? {} : propertiesOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  return Object.assign(referred, ...(schema.allOf ?? []).map(propertiesOf), schema.properties)
}

/** A field that is only sent to the vendor is in no response. */
function isAnswered({ description = '', writeOnly = false }: Schema): boolean {
  return !writeOnly && !/^(Write only|POST requests only|List of tokens received)/.test(description)
}

function fieldsOf(schemaName: string): string[] {
  const schema = schemas[schemaName]
  if (schema === undefined) throw new Error(`The document has no schema ${schemaName}`)
  const properties = Object.entries(propertiesOf(schema))
  return properties.flatMap(([field, given]) => (isAnswered(given) ? [field] : [])).sort()
}

const objects = Object.fromEntries(
  Object.entries(vendor.schemas).map(([object, schemaName]) => [object, fieldsOf(schemaName)]),
)
const { source, further } = vendor
const extract = { source, version: document.info.version, fetchedAt, objects, further }
const target = join(import.meta.dirname, '..', 'examples', `${name}-emulator`, 'fields.json')
writeFileSync(target, `${JSON.stringify(extract, null, 2)}\n`)
process.stdout.write(`Wrote ${target}\n`)
