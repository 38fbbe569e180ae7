import type { KindDefinition } from '../../src/storage/kinds/define-kind.ts'
import { fileOfKind } from '../contracts/storage/derived-row.contract.ts'

/**
 * Returns the texts and JSON values that a declaration classes as harmless without a reason, each with what to do. Ids of rows
 * need none.
 */
export function personalFieldProblems({ name: kind, fields }: KindDefinition<unknown>): string[] {
  return Object.entries(fields).flatMap(([name, { type, personalData, why }]) => {
    const isHarmless = personalData === 'plain' || personalData === 'internal'
    const canHoldWords = name !== '_id' && (type === 'text' || type === 'json')
    if (!isHarmless || !canHoldWords || why !== undefined) return []
    return [
      `${kind}.${name} is classed "${personalData}" in ${fileOfKind(kind)} without a reason: class it customer, user or both, ` +
        `so that exports show it and erasures remove it, or say because('why not', …), or word(…) for the words of a type`,
    ]
  })
}
