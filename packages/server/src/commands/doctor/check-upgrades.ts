import type { Finding } from '../../ports/diagnosis.ts'
import { readUpgrades, type StepState } from '../../upgrades/rows-left.ts'
import { upgradeSteps } from '../../upgrades/steps.ts'
import type { Check } from './check.ts'

/** The most rows that are read for a step without `--all`. */
const sampleMax = 10_000
const namedMax = 20

function findingsOf({ step, rowsLeft, tenantsLeft, isAtLeast, skipped, notes }: StepState): Finding[] {
  const findings: Finding[] = []
  if (rowsLeft > 0 || isAtLeast) {
    const count = `${isAtLeast ? 'At least ' : ''}${rowsLeft}`
    findings.push({
      outcome: 'warning',
      sentence: `${count} rows of ${step.kind} wait for their upgrade (${step.name}), of ${tenantsLeft} tenants.`,
      mend: 'Run a server with background work: it upgrades them beside its other work',
    })
  }
  if (skipped > 0) {
    findings.push({
      outcome: 'warning',
      sentence: `${skipped} rows of ${step.kind} kept their form in the upgrade (${step.name}).`,
      mend: 'The log of that time names them; crm-server doctor --all names those that cannot be read',
    })
  }
  for (const { kind, ids } of notes.slice(0, namedMax)) {
    findings.push({
      outcome: 'warning',
      sentence: `The ${kind} ${ids.join(' and ')} ${step.noted ?? 'need a decision'}.`,
      mend: 'Decide in the console, or with crm',
    })
  }
  if (notes.length > namedMax)
    findings.push({ outcome: 'warning', sentence: `So do ${notes.length - namedMax} more of ${step.name}.` })
  return findings
}

/** A version that builds on a step does not start before it is done, so an operator asks before the next upgrade. */
export const checkUpgrades: Check = {
  subject: 'upgrades',
  readsRows: true,
  async run({ database: { rows }, isThorough }) {
    if (rows === undefined) return []
    const rowsMax = isThorough ? Number.POSITIVE_INFINITY : sampleMax
    const states = await readUpgrades(rows, { steps: upgradeSteps, rowsMax })
    const findings = states.flatMap(findingsOf)
    return findings.length > 0 ? findings : [{ outcome: 'ok', sentence: 'No row waits for an upgrade.' }]
  },
}
