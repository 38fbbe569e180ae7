import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plantedViolations, soundFiles, stubbedPackages } from './planted-violations.ts'

const root = resolve(import.meta.dirname, '../../../..')
const configFile = join(root, '.dependency-cruiser.mjs')

interface Cruise {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[]
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string }[] }
  }
}

/** Runs the same program with the same configuration as `npm run check`. */
function cruise(directory: string): Promise<Cruise> {
  const program = join(root, 'node_modules/.bin/depcruise')
  const args = ['--config', configFile, '--output-type', 'json', 'packages']
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: directory, maxBuffer: 2 ** 28 }, (err, stdout) => {
      // A violation makes the exit code non-zero; without output it is a real failure.
      if (stdout === '') reject(err ?? new Error('dependency-cruiser wrote nothing'))
      else resolve(JSON.parse(stdout) as Cruise)
    })
  })
}

function write(directory: string, file: string, content: string): void {
  mkdirSync(join(directory, dirname(file)), { recursive: true })
  writeFileSync(join(directory, file), content)
}

function buildFixture(directory: string): void {
  for (const { file, source } of plantedViolations) write(directory, file, `${source}\nexport {}\n`)
  for (const [file, source] of Object.entries(soundFiles)) write(directory, file, `${source}\nexport {}\n`)
  for (const name of stubbedPackages) {
    write(directory, `node_modules/${name}/package.json`, `{ "name": "${name}", "main": "index.js" }`)
    write(directory, `node_modules/${name}/index.js`, '')
  }
  for (const name of ['tsconfig.base.json', 'tsconfig.test.json'])
    cpSync(join(root, name), join(directory, name))
}

describe('the dependency rules', () => {
  const directory = mkdtempSync(join(tmpdir(), 'crmkit-architecture-'))
  let planted: Cruise

  beforeAll(async () => {
    buildFixture(directory)
    planted = await cruise(directory)
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  it('have a planted violation each', () => {
    const rules = planted.summary.ruleSetUsed.forbidden.map(({ name }) => name)
    expect([...new Set(plantedViolations.map(({ rule }) => rule))].sort()).toEqual(rules.sort())
  })

  // With TypeScript 7 dependency-cruiser finds no .ts module, and every rule passes in silence.
  it.each(plantedViolations)('$rule catches $file', ({ rule: name, file }) => {
    const caught = planted.summary.violations.filter(({ rule }) => rule.name === name)
    expect(caught.map(({ from }) => from)).toContain(file)
  })

  it('accept valid files', () => {
    const blamed = planted.summary.violations
      .filter(({ rule }) => rule.name !== 'no-cycles')
      .map(({ from }) => from)
    expect(blamed.filter((file) => file in soundFiles)).toEqual([])
  })
})
