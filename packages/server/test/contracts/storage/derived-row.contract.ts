import { readdirSync, readFileSync } from 'node:fs'
import type { IdPrefix } from '@crmkit/core'
import type { KindDefinition } from '../../../src/storage/kinds/define-kind.ts'
import type { Field } from '../../../src/storage/kinds/fields.ts'
import { kinds } from '../../../src/storage/kinds/registry.ts'
import { at, ids, nextNumber } from './sample-values.contract.ts'

const folder = new URL('../../../src/storage/kinds/', import.meta.url)

/** Returns the file that declares a kind, for messages of failing tests. */
export function fileOfKind(kind: string): string {
  const files = readdirSync(folder).filter((file) => !/^(define-kind|derive|fields|plan-list)/.test(file))
  const file = files.find((name) => readFileSync(new URL(name, folder), 'utf8').includes(`('${kind}',`))
  const wrapped = files.find((name) => readFileSync(new URL(name, folder), 'utf8').includes(`'${kind}'`))
  return `packages/server/src/storage/kinds/${file ?? wrapped ?? '<new file>'}`
}

function prefixOf(kind: string): string {
  const { rules } = (kinds as Readonly<Record<string, KindDefinition<unknown>>>)[kind] ?? {}
  return rules?.idPrefix ?? kind
}

function sampleOf(kind: string, name: string, field: Field<unknown>): unknown {
  if (field.sample !== undefined) return field.sample
  if (field.references !== undefined) return `${prefixOf(field.references)}_1`
  const number = nextNumber()
  switch (field.type) {
    case 'text':
      return `${name}${number} Ünïcode 株式会社`
    case 'moment':
      return at(number)
    case 'number':
      return number
    case 'flag':
      return true
    case 'json':
      throw new TypeError(
        `${kind}.${name} is an object or a list: give it a sample, json(class, sample), in ${fileOfKind(kind)}`,
      )
  }
}

function isEnd({ retention }: KindDefinition<unknown>['rules'], name: string): boolean {
  return typeof retention === 'object' && 'endsAt' in retention && retention.endsAt === name
}

/** Returns a complete row as its declaration describes it, for a kind without a sample of its own. */
export function deriveRow(
  { name: kind, fields, rules }: KindDefinition<unknown>,
  tenantId: string,
): Record<string, unknown> {
  const id = rules.idPrefix === null ? `${kind}${nextNumber()}` : ids.next(rules.idPrefix as IdPrefix)
  const values = Object.entries(fields).map(([name, field]) => {
    if (name === '_id') return [name, id]
    if (name === rules.list?.ranges?.by) return [name, rules.list.ranges.values[0]]
    // Not expired: suites count the rows that retention removes.
    if (isEnd(rules, name)) return [name, at(1_000_000 + nextNumber())]
    return [name, name === 'tenantId' ? tenantId : sampleOf(kind, name, field)]
  })
  return Object.fromEntries(values) as Record<string, unknown>
}
