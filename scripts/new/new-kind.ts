// `npm run new -- kind NAME FIELD…`: the resource in core, the declaration of its rows, and their registration.
import { addImport, create, type Edits, insertBefore } from './edits.ts'
import { type FieldSpec, type Names, sentenceOf } from './names.ts'

const kindsFolder = 'packages/server/src/storage/kinds'

interface NewKind {
  readonly names: Names
  readonly fields: readonly FieldSpec[]
  /** Of its ids. */
  readonly prefix: string
}

const schemas: Readonly<Record<FieldSpec['type'], string>> = {
  text: 'z.string()',
  lines: 'z.string()',
  moment: 'timestamp',
  flag: 'z.boolean()',
  number: 'z.int()',
}

function textSchema({ type, isNullable }: FieldSpec): string | undefined {
  if (type === 'text') return isNullable ? 'optionalText' : 'requiredText'
  if (type === 'lines') return isNullable ? 'optionalLines' : 'requiredLines'
  return undefined
}

function bodySchema(field: FieldSpec): string {
  const text = textSchema(field)
  if (text !== undefined) return `${text}(${field.max})`
  const schema = field.type === 'moment' ? 'moment' : schemas[field.type]
  return field.isNullable ? `${schema}.nullable().optional()` : schema
}

function importsOf(fields: readonly FieldSpec[]): string {
  const names = fields.flatMap((field) => {
    const text = textSchema(field)
    if (text !== undefined) return [text]
    return field.type === 'moment' ? ['moment', 'timestamp'] : []
  })
  const unique = [...new Set(names)].sort()
  return unique.length > 0 ? `import { ${unique.join(', ')} } from '../shared/text.ts'\n` : ''
}

/** Null clears a field that may be null; an absent one keeps its value. */
function changedField({ name, isNullable }: FieldSpec): string {
  return isNullable
    ? `    ${name}: body.${name} === undefined ? before.${name} : body.${name},`
    : `    ${name}: body.${name} ?? before.${name},`
}

function resourceText({ names, fields }: NewKind): string {
  const { singular, Singular, singularWords, pluralWords } = names
  const described = (name: string) => `.describe('${sentenceOf(name)} of the ${singularWords}.')`
  const shown = fields.map(({ name, type, isNullable }) => {
    return `    ${name}: ${schemas[type]}${isNullable ? '.nullable()' : ''}${described(name)},`
  })
  const body = fields.map((field) => `  ${field.name}: ${bodySchema(field)}${described(field.name)},`)
  return `import { z } from 'zod'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
${importsOf(fields)}
export const ${singular} = z
  .object({
    _id: ownId('${singularWords}'),
    tenantId,
${shown.join('\n')}
    createdAt,
    updatedAt,
  })
  .meta({ id: '${Singular}', description: 'One of the ${pluralWords} of a tenant.' })
export type ${Singular} = z.infer<typeof ${singular}>

const settings = {
${body.join('\n')}
}

export const create${Singular}Body = z
  .strictObject(settings)
  .meta({ id: 'Create${Singular}', description: 'The fields of a new ${singularWords}.' })

export const update${Singular}Body = z
  .strictObject(settings)
  .partial()
  .meta({
    id: 'Update${Singular}',
    description: 'Changes of a ${singularWords}. An absent field keeps its value.',
  })
export type Update${Singular}Body = z.output<typeof update${Singular}Body>

export function updated${Singular}(before: ${Singular}, body: Update${Singular}Body, now: string): ${Singular} {
  return {
    ...before,
${fields.map(changedField).join('\n')}
    updatedAt: now,
  }
}
`
}

function helperOf({ type, isNullable }: FieldSpec): string {
  const stored = type === 'lines' ? 'text' : type
  return isNullable ? `nullable${sentenceOf(stored)}` : stored
}

function declarationText({ names, fields, prefix }: NewKind): string {
  const { plural, Singular } = names
  const helpers = [...new Set(fields.map(helperOf))].sort()
  return `import type { ${Singular} } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import { ${[...helpers, 'tenantRow', 'times'].join(', ')} } from './fields.ts'

export const ${plural} = defineKindOf<${Singular}>()('${plural}', {
  idPrefix: '${prefix}',
  fields: {
    ...tenantRow,
${fields.map((field) => `    ${field.name}: ${helperOf(field)}('plain'),`).join('\n')}
    ...times,
  },
  list: { orders: { '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' } } },
  erasure: { rows: 'kept' },
  quota: { rows: 1_000_000 },
  retention: 'permanent',
})
`
}

export function addKind(edits: Edits, kind: NewKind): void {
  const { names, prefix } = kind
  const { plural, pluralPath, singularPath } = names
  const ids = 'packages/core/src/shared/ids.ts'
  const declarations = [...edits.read(`${kindsFolder}/registry.ts`).matchAll(/from '\.\/(.*\.ts)'/g)]
  if (
    declarations.some(([, file]) => edits.read(`${kindsFolder}/${file}`).includes(`idPrefix: '${prefix}'`))
  ) {
    throw new Error(
      `Another kind has ids that begin with ${prefix}: choose three other letters, --prefix=LETTERS`,
    )
  }
  // Some prefixes are reserved for kinds of the specification that are not built yet.
  if (!edits.read(ids).includes(`'${prefix}',`))
    insertBefore(edits, { file: ids, anchor: '] as const', line: `  '${prefix}',` })
  create(edits, `packages/core/src/${pluralPath}/${singularPath}.ts`, resourceText(kind))
  addImport(edits, 'packages/core/src/index.ts', `export * from './${pluralPath}/${singularPath}.ts'`)
  create(edits, `${kindsFolder}/${pluralPath}.ts`, declarationText(kind))
  const registry = `${kindsFolder}/registry.ts`
  addImport(edits, registry, `import { ${plural} } from './${pluralPath}.ts'`)
  insertBefore(edits, { file: registry, anchor: '  webhooks,', line: `  ${plural},` })
}

/** Returns the decisions that a person has to make. */
export function leftToDoOfKind({ plural, pluralPath }: Names): string[] {
  const declaration = `${kindsFolder}/${pluralPath}.ts`
  return [
    `${declaration}: class each field for personal data, and say who owns the rows and how they end`,
    `${declaration}: add the filters, orders and unique keys of ${plural}; then \`npm run new -- migration ${plural}\``,
    'npm test -- packages/server/test/architecture packages/server/src/adapters/sqlite/declared-schema.test.ts',
    `npm run new -- operation ${plural}.list (create, get, update, delete, or a verb of your own)`,
  ]
}
