import type { HeaderTargets } from '@crmkit/core'
import type { SourceFields, SourceModule, SourceRecord } from '../../ports/connector.ts'
import { type MomentRules, parseMoment } from './parse-moment.ts'

export interface FileRow {
  row: number
  /** By header. */
  values: Readonly<Record<string, unknown>>
}

const customPrefix = 'customFields.'

/** Turns a row into a record by the targets of its headers. `idOf` makes the id of a row without one. */
export function recordOfRow(
  module: SourceModule,
  { row, values }: FileRow,
  { targets, rules, idOf }: { targets: HeaderTargets; rules: MomentRules; idOf: () => string },
): SourceRecord {
  const reader = new RowReader(values, targets, rules)
  const emailName = Object.keys(targets).find((header) => targets[header] === 'email')
  const createdAt = reader.moment('createdAt')
  const customerId = reader.text('customerId')
  const parentId = reader.text('parentId')
  return {
    module,
    id: reader.text('id') ?? idOf(),
    row,
    createdAt,
    modifiedAt: null,
    url: null,
    person: customerId === null ? null : { module: 'Contacts', id: customerId },
    parent: parentId === null ? null : { module: parentModuleOf(reader.text('parentModule')), id: parentId },
    fields: fieldsOf(module, reader),
    customFields: reader.customFields(),
    ...(emailName !== undefined && { emailName }),
    warnings: reader.warnings,
  }
}

class RowReader {
  readonly warnings: SourceRecord['warnings'][number][] = []
  readonly #byTarget = new Map<string, unknown>()
  readonly #custom: Record<string, unknown> = {}
  readonly #rules: MomentRules

  constructor(values: Readonly<Record<string, unknown>>, targets: HeaderTargets, rules: MomentRules) {
    this.#rules = rules
    for (const [header, value] of Object.entries(values)) {
      const target = targets[header]
      if (target === null || target === undefined) continue
      if (target.startsWith(customPrefix))
        this.#custom[target.slice(customPrefix.length)] = value === '' ? null : value
      else this.#byTarget.set(target, value)
    }
  }

  text(target: string): string | null {
    const value = this.#byTarget.get(target)
    if (value === null || value === undefined || typeof value === 'object') return null
    const text = String(value).trim()
    return text === '' ? null : text
  }

  /** Texts keep their newlines. */
  lines(target: string): string | null {
    const value = this.#byTarget.get(target)
    return typeof value === 'string' && value.trim() !== '' ? value : this.text(target)
  }

  moment(target: string): string | null {
    const text = this.text(target)
    if (text === null) return null
    const moment = parseMoment(text, this.#rules)
    if (moment === null) this.warnings.push({ code: 'INVALID_VALUE', message: `${target} is no date` })
    return moment
  }

  number(target: string): number | null {
    const text = this.text(target)
    if (text === null) return null
    const value = Number(text.replace(',', '.'))
    if (Number.isFinite(value)) return Math.round(value)
    this.warnings.push({ code: 'INVALID_VALUE', message: `${target} is no number` })
    return null
  }

  list(target: string): string[] {
    const value = this.#byTarget.get(target)
    if (Array.isArray(value)) return value.map(String)
    return (this.text(target) ?? '')
      .split(/[;,|]/)
      .flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
  }

  customFields(): Record<string, unknown> {
    return this.#custom
  }
}

const parentModules: readonly SourceModule[] = ['Contacts', 'Leads', 'Deals', 'Cases']

function parentModuleOf(text: string | null): SourceModule {
  const folded = (text ?? 'contacts').toLowerCase().replace(/s$/, '')
  return parentModules.find((module) => module.toLowerCase().replace(/s$/, '') === folded) ?? 'Contacts'
}

function fieldsOf(module: SourceModule, reader: RowReader): SourceFields {
  if (module === 'Contacts' || module === 'Leads') {
    return {
      firstName: reader.text('firstName'),
      lastName: reader.text('lastName'),
      email: reader.text('email'),
      secondaryEmails: reader.list('secondaryEmail'),
      phone: reader.text('phone'),
      company: reader.text('company'),
      jobTitle: reader.text('jobTitle'),
      tags: reader.list('tags'),
    }
  }
  if (module === 'Notes') {
    return { title: reader.text('title'), content: reader.lines('content') }
  }
  if (module === 'Calls') {
    const type = (reader.text('callType') ?? '').toLowerCase()
    return {
      subject: reader.text('subject'),
      direction: /^in|eingehend/.test(type) ? 'inbound' : 'outbound',
      isMissed: /miss|verpasst/.test(type),
      startedAt: reader.moment('startedAt'),
      durationSeconds: reader.number('durationSeconds'),
    }
  }
  return {
    subject: reader.text('subject'),
    status: statusOf(reader.text('status') ?? reader.text('stage')),
    priority: priorityOf(reader.text('priority')),
    channel: (reader.text('channel') ?? 'email').toLowerCase(),
    description: reader.lines('description'),
  }
}

function statusOf(text: string | null): 'open' | 'pending' | 'closed' {
  const folded = (text ?? '').toLowerCase()
  if (/clos|won|lost|solved|resolved|erledigt|geschlossen|gewonnen|verloren/.test(folded)) return 'closed'
  return /hold|pending|wart/.test(folded) ? 'pending' : 'open'
}

function priorityOf(text: string | null): 'low' | 'medium' | 'high' | 'urgent' {
  const folded = (text ?? '').toLowerCase()
  if (/urgent|dringend|critical/.test(folded)) return 'urgent'
  if (/high|hoch/.test(folded)) return 'high'
  return /low|niedrig/.test(folded) ? 'low' : 'medium'
}
