import type { SourceField, SourceModule } from '../../ports/connector.ts'
import { mappedProperties, systemProperties } from './hubspot-mapping.ts'
import type { Json } from './hubspot-tokens.ts'

/** The modules whose records keep custom fields here. */
const modulesWithCustomFields: readonly SourceModule[] = ['Contacts', 'Deals', 'Cases']

/** Of the figures that HubSpot itself keeps, those that people ask for. */
const ownFigures = new Set(['hs_analytics_source', 'hs_resolution', 'hs_lead_status'])

/**
 * Returns whether a property is read. A portal has hundreds that HubSpot calculates, and a customer here has space for 200 fields: what
 * is hidden, calculated, or `hs_…` and read-only (Property and PropertyModificationMetadata of the properties, 2026-03) is left out.
 */
function isRead(module: SourceModule, property: Json): boolean {
  const name = nameOf(property)
  if (Object.hasOwn(mappedProperties[module], name) || name === 'hs_merged_object_ids') return true
  if (!modulesWithCustomFields.includes(module) || systemProperties.has(name)) return false
  if (property['archived'] === true || property['hidden'] === true) return false
  if (property['hubspotDefined'] === false || ownFigures.has(name)) return true
  if (property['calculated'] === true) return false
  return !(name.startsWith('hs_') && isReadOnly(property))
}

/** Returns the properties to ask for, mapped ones first: a portal that does not describe one of them ignores it. */
export function propertiesToRead(module: SourceModule, described: readonly Json[]): string[] {
  const known = described.filter((property) => isRead(module, property)).map(nameOf)
  return [...new Set([...Object.keys(mappedProperties[module]), 'hs_merged_object_ids', ...known])]
}

export function fieldOf(module: SourceModule, property: Json): SourceField {
  const apiName = nameOf(property)
  const options = (property['options'] as readonly Json[] | undefined) ?? []
  const isKept = modulesWithCustomFields.includes(module) && isRead(module, property)
  return {
    apiName,
    label: String(property['label'] ?? apiName),
    type: String(property['type'] ?? 'string'),
    required: false,
    readOnly: isReadOnly(property),
    custom: property['hubspotDefined'] === false,
    maxLength: null,
    options: options.map((option) => ({ value: String(option['value']), label: String(option['label']) })),
    lookupModule: null,
    mappedTo: mappedProperties[module][apiName] ?? (isKept ? `customFields.hubspot.${apiName}` : null),
  }
}

const nameOf = (property: Json) => String(property['name'])

function isReadOnly(property: Json): boolean {
  return ((property['modificationMetadata'] ?? {}) as Json)['readOnlyValue'] === true
}
