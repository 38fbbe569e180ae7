import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Config, loadConfig, type Variables } from './config.ts'
import { ConfigError } from './config-error.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'crmkit-config-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const load = (variables: Variables = {}, dev = false): Config =>
  loadConfig({ CRM_DATA_DIR: dir, ...variables }, { dev })
const problems = (variables: Variables, dev = false): readonly string[] => {
  try {
    load(variables, dev)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}
const secret = 's'.repeat(32)

describe('loadConfig', () => {
  it('needs nothing: a first start has good defaults and secrets of its own, which stay', () => {
    const first = load()
    expect(first).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      environment: 'staging',
      registration: 'open',
      needsSetupToken: false,
    })
    expect(first.databaseUrl).toBe(`sqlite:${path.join(dir, 'crm.sqlite')}`)
    expect(load().jwtSecrets).toEqual(first.jwtSecrets)
    expect(first.jwtSecrets).not.toEqual(first.secretsKeys)
    expect(statSync(path.join(dir, 'jwt-secret')).mode & 0o777).toBe(0o600)
  })

  it('reports every problem at once, each naming its variable', () => {
    const found = problems({
      PORT: '99999',
      CRM_ENVIRONMENT: 'prod',
      CRM_LOG_LEVEL: 'loud',
      CRM_JWT_SECRET: 'short',
    })
    expect(found.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'CRM_ENVIRONMENT',
      'CRM_JWT_SECRET',
      'CRM_LOG_LEVEL',
    ])
    expect(found.join()).not.toContain('short')
  })

  it('serves metrics only where a port is set for them: on loopback, and never on the port of the API', () => {
    expect(load().metrics).toBeUndefined()
    expect(load({ CRM_METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
    expect(load({ CRM_METRICS_PORT: '0', CRM_METRICS_HOST: '::' }).metrics).toEqual({ host: '::', port: 0 })
    for (const port of ['-1', '70000', 'nine']) {
      expect(problems({ CRM_METRICS_PORT: port })).toEqual([expect.stringContaining('CRM_METRICS_PORT')])
    }
    expect(problems({ CRM_METRICS_HOST: 'everywhere' })).toHaveLength(1)
    expect(problems({ CRM_METRICS_PORT: '3000' })).toEqual([expect.stringContaining('differ from PORT')])
    expect(problems({ PORT: '4000', CRM_METRICS_PORT: '3000' })).toEqual([])
  })

  it('warns of a misspelled variable and names the nearest setting, and of no variable of the CLI', () => {
    const warnings = (variables: Variables) => load(variables).warnings
    expect(warnings({ CRM_LOGLEVEL: 'debug', CRM_REGISTRATON: 'off', CRM_JWT_SECRTE_FILE: '/x' })).toEqual([
      'CRM_LOGLEVEL is not a setting and has no effect: do you mean CRM_LOG_LEVEL?',
      'CRM_REGISTRATON is not a setting and has no effect: do you mean CRM_REGISTRATION?',
      'CRM_JWT_SECRTE_FILE is not a setting and has no effect: do you mean CRM_JWT_SECRET_FILE?',
    ])
    expect(
      warnings({ CRM_API_KEY: 'sk', CRM_PROFILE: 'ci', CRM_PASSWORD: 'p', CRM_TEST_WORLD: 'x' }),
    ).toEqual([])
  })

  it('warns of open registration on an address that others reach, and of no other registration', () => {
    const open = { CRM_HOST: '0.0.0.0' }
    expect(load(open).warnings).toEqual([expect.stringContaining('Registration is open')])
    expect(load({ ...open, CRM_REGISTRATION: 'first' }).warnings).toEqual([])
    expect(load({ CRM_HOST: '127.0.0.1' }).warnings).toEqual([])
    const embedded = (NODE_ENV: string) =>
      loadConfig({ CRM_DATA_DIR: dir, NODE_ENV }, { dev: false, isEmbedded: true }).warnings
    expect(embedded('production')).toHaveLength(1)
    expect(embedded('development')).toEqual([])
  })

  it('demands the setup token for the first tenant where others than the operator reach the service', () => {
    const needs = (more: object) => load({ CRM_REGISTRATION: 'first', ...more }).needsSetupToken
    expect(needs({})).toBe(false)
    expect(needs({ CRM_HOST: '127.0.0.2', CRM_BASE_URL: 'http://[::1]:3000' })).toBe(false)
    expect(needs({ CRM_HOST: '0.0.0.0' })).toBe(true)
    expect(needs({ CRM_TRUST_PROXY: '1' })).toBe(true)
    expect(needs({ CRM_BASE_URL: 'https://crm.example.com' })).toBe(true)
    expect(load({ CRM_REGISTRATION: 'open', CRM_HOST: '0.0.0.0' }).needsSetupToken).toBe(false)
  })

  it('demands secrets in production, refuses private destinations there, and keeps registration off', () => {
    const production = { CRM_ENVIRONMENT: 'production', CRM_JWT_SECRET: secret, CRM_SECRETS_KEY: secret }
    expect(load(production).registration).toBe('off')
    expect(problems({ CRM_ENVIRONMENT: 'production' })).toHaveLength(2)
    expect(existsSync(path.join(dir, 'jwt-secret'))).toBe(false)
    expect(problems({ ...production, CRM_WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8' })).toHaveLength(1)
    expect(
      problems({ ...production, CRM_WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8', CRM_WEBHOOK_UNSAFE: '1' }),
    ).toEqual([])
  })

  it('allows development on a loopback address only, and never in production', () => {
    expect(load({}, true).webhookAllowCidrs).toEqual(['127.0.0.0/8', '::1/128'])
    expect(load({ CRM_HOST: '::1' }, true).dev).toBe(true)
    expect(problems({ CRM_HOST: '0.0.0.0' }, true)).toHaveLength(1)
    expect(
      problems({ CRM_ENVIRONMENT: 'production', CRM_JWT_SECRET: secret, CRM_SECRETS_KEY: secret }, true),
    ).toHaveLength(1)
  })

  it('reads secrets from files, as a ring, and refuses two sources for one', () => {
    const file = path.join(dir, 'mounted')
    writeFileSync(file, `${'a'.repeat(32)}, ${'b'.repeat(32)}\n`)
    expect(load({ CRM_JWT_SECRET_FILE: file }).jwtSecrets).toEqual(['a'.repeat(32), 'b'.repeat(32)])
    expect(problems({ CRM_JWT_SECRET_FILE: file, CRM_JWT_SECRET: secret })).toHaveLength(1)
    expect(problems({ CRM_JWT_SECRET_FILE: path.join(dir, 'none') })).toHaveLength(1)
  })

  it('says in one sentence that a data directory cannot be written', () => {
    const file = path.join(dir, 'a-file')
    writeFileSync(file, '')
    chmodSync(file, 0o400)
    expect(problems({ CRM_DATA_DIR: path.join(file, 'data') })).toEqual([
      expect.stringContaining('CRM_DATA_DIR'),
    ])
  })

  it('accepts origins as browsers send them, and nothing else', () => {
    expect(load().corsOrigins).toEqual([])
    const two = 'https://app.example.com, http://localhost:5173'
    expect(load({ CRM_CORS_ORIGINS: two }).corsOrigins).toEqual(two.split(', '))
    for (const bad of [
      '*',
      'null',
      'app.example.com',
      'https://app.example.com/',
      'https://x/path',
      'ftp://x',
    ])
      expect(problems({ CRM_CORS_ORIGINS: bad }), bad).toHaveLength(1)
  })

  it('uses the rate limits of the contract by default, and none when they are off', () => {
    expect(load().rateLimits).toEqual({
      key: 600,
      user: 300,
      tenant: 3000,
      people: 30_000,
      address: 120,
      login: 20,
    })
    expect(load({ CRM_LIMIT_KEY_PER_MINUTE: '0', CRM_LIMIT_LOGIN_PER_MINUTE: '7' }).rateLimits).toMatchObject(
      { key: 0, login: 7 },
    )
    expect(load({ CRM_RATE_LIMITS: 'off' }).rateLimits).toBeUndefined()
    for (const bad of ['-1', '1.5', 'many', '99999999999', '1e3']) {
      expect(problems({ CRM_LIMIT_TENANT_PER_MINUTE: bad })).toEqual([
        expect.stringMatching(/^CRM_LIMIT_TENANT_PER_MINUTE must be a number of requests a minute/),
      ])
    }
    expect(problems({ CRM_RATE_LIMITS: 'false' })).toHaveLength(1)
  })

  it('takes a file or an object store for the ledger of erasures, the store with its key alone', () => {
    expect(load({ CRM_ERASURE_LEDGER: 'some/file.ndjson' }).erasureLedger).toBe(
      path.resolve('some/file.ndjson'),
    )
    const address = 's3://bucket/of/erasures?region=eu-central-1&endpoint=https%3A%2F%2Fstore.example.com'
    const key = { CRM_ERASURE_LEDGER_KEY: 'id:secret' }
    expect(load({ CRM_ERASURE_LEDGER: address, ...key }).erasureLedger).toBe(address)
    expect(problems({ CRM_ERASURE_LEDGER: address })).toEqual([
      expect.stringContaining('CRM_ERASURE_LEDGER_KEY is required'),
    ])
    for (const bad of ['s3:///folder', 's3://bucket/a%20b', 's3://bucket/a?endpoint=ftp://x', 'https://x/y'])
      expect(problems({ CRM_ERASURE_LEDGER: bad, ...key }), bad).toHaveLength(1)
    expect(problems({ CRM_ERASURE_LEDGER: address, CRM_ERASURE_LEDGER_KEY: 'id' })).toHaveLength(1)
  })

  it('refuses addresses of other services and roles that do not exist', () => {
    expect(
      problems({ CRM_REDIS_URL: 'http://x', CRM_ROLE: 'both', CRM_DATABASE_URL: 'postgres://x' }),
    ).toHaveLength(3)
  })

  it('lets processes divide the work only where they can meet: on MongoDB and Redis', () => {
    const shared = { CRM_JWT_SECRET: secret, CRM_SECRETS_KEY: secret }
    const databaseUrl = 'mongodb://db1/crm'
    const named = (variables: Variables) => problems(variables).map((problem) => problem.split(' ')[0])
    expect(named({ CRM_ROLE: 'api' })).toEqual(['CRM_DATABASE_URL', 'CRM_REDIS_URL'])
    expect(named({ ...shared, CRM_ROLE: 'worker', CRM_DATABASE_URL: databaseUrl })).toEqual(['CRM_REDIS_URL'])
    const both = { ...shared, CRM_DATABASE_URL: databaseUrl, CRM_REDIS_URL: 'rediss://:pass@cache:6380/1' }
    expect(load({ ...both, CRM_ROLE: 'api' })).toMatchObject({ role: 'api', port: 3000 })
    expect(load({ ...both, CRM_ROLE: 'worker' })).toMatchObject({ role: 'worker', port: 0 })
    expect(load({ ...both, CRM_ROLE: 'worker', PORT: '9000' }).port).toBe(9000)
    expect(load(both).role).toBe('all')
  })

  it('accepts MongoDB with the two secrets that all processes must share, and generates none of its own', () => {
    const databaseUrl = 'mongodb://crm:p%40ss@db1,db2/crm?replicaSet=rs0'
    const shared = { CRM_JWT_SECRET: secret, CRM_SECRETS_KEY: secret }
    expect(load({ CRM_DATABASE_URL: databaseUrl, ...shared }).databaseUrl).toBe(databaseUrl)
    expect(load({ CRM_DATABASE_URL: 'mongodb+srv://cluster.example', ...shared }).environment).toBe('staging')
    const found = problems({ CRM_DATABASE_URL: databaseUrl })
    expect(found.map((problem) => problem.split(' ')[0])).toEqual(['CRM_JWT_SECRET', 'CRM_SECRETS_KEY'])
    expect(found.join()).not.toContain('p%40ss')
    expect(existsSync(path.join(dir, 'jwt-secret'))).toBe(false)
    for (const half of ['mongodb://', 'mongodb:x', 'sqlite:']) {
      expect(problems({ CRM_DATABASE_URL: half, ...shared }), half).toHaveLength(1)
    }
  })

  it('never writes a secret of the environment to the disk', () => {
    load({ CRM_JWT_SECRET: secret, CRM_SECRETS_KEY: secret })
    expect(existsSync(path.join(dir, 'jwt-secret'))).toBe(false)
    load()
    expect(readFileSync(path.join(dir, 'jwt-secret'), 'utf8')).not.toContain(secret)
  })
})
