import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { newestSchema } from '../packages/server/src/adapters/sqlite/connection/migrate.ts'

interface Release {
  readonly version: string
  readonly commit: string
  readonly schema: { readonly sqlite: number; readonly mongodb: number }
  readonly date: string
}

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const releases: readonly Release[] = JSON.parse(read('docs/releases.json'))
const sections = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, version]) => version)
const numbers = (version: string) => version.split('.').map(Number)

describe('the releases', () => {
  it('have one version for all published packages, and a section of the changelog', () => {
    const manifests = globSync('packages/*/package.json').map((file) => JSON.parse(read(file)))
    const published = manifests.filter((manifest) => !manifest.private)
    expect(new Set(published.map(({ version }) => version))).toEqual(new Set([sections[0]]))
    expect(published.length).toBe(4)
    for (const { version } of releases) expect(sections).toContain(version)
  })

  it('are listed in their order, each with its full commit, its day and its schemas, none above those of today', () => {
    const [first, ...later] = releases
    expect(first?.version).toBe('0.1.0')
    for (const [index, { version }] of later.entries())
      expect(numbers(version) > numbers(releases[index]?.version ?? '')).toBe(true)
    const mongodb = Number(
      /schemaVersion = (\d+)/.exec(read('packages/server/src/adapters/mongo/connection/migrate.ts'))?.[1],
    )
    for (const { commit, date, schema } of releases) {
      expect(commit).toMatch(/^[0-9a-f]{40}$/)
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(schema.sqlite).toBeLessThanOrEqual(newestSchema())
      expect(schema.mongodb).toBeLessThanOrEqual(mongodb)
    }
  })
})
