import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findLastingPort } from './free-port.ts'

export interface Found {
  labels: Readonly<Record<string, string>>
  value: number
}

interface Rule {
  name: string
  health: string
  state: string
}

/** A Prometheus that scrapes one process every second. */
export interface Prometheus {
  /** Returns the series of a query now. Throws for a query that it refuses. */
  query(expression: string): Promise<Found[]>
  /** The rules of its files, as it has evaluated them. */
  rules(): Promise<Rule[]>
  stop(): Promise<void>
}

function program(): string {
  const file = process.env['CRM_TEST_PROMETHEUS']
  if (!file) throw new Error('CRM_TEST_PROMETHEUS names no prometheus')
  return file
}

/** Returns the complaints of `promtool check` about a text or a file; empty when there are none. */
export function complaintsOf(kind: 'metrics' | 'rules', given: { input?: string; file?: string }): string {
  const promtool = path.join(path.dirname(program()), 'promtool')
  const args = ['check', kind, ...(given.file === undefined ? [] : [given.file])]
  const { status, stdout, stderr, error } = spawnSync(promtool, args, { input: given.input ?? '' })
  if (error) throw error
  return status === 0 && kind === 'rules' ? '' : `${stdout}${stderr}`.trim()
}

/** Starts it with these rules, and waits until it has scraped the process twice. */
export async function startPrometheus(of: { target: string; ruleFile: string }): Promise<Prometheus> {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-prometheus-'))
  const port = await findLastingPort()
  const { host, pathname } = new URL(of.target)
  // JSON is YAML.
  const settings = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [path.resolve(of.ruleFile)],
    scrape_configs: [{ job_name: 'crmkit', metrics_path: pathname, static_configs: [{ targets: [host] }] }],
  }
  const configFile = path.join(folder, 'prometheus.yml')
  writeFileSync(configFile, JSON.stringify(settings))
  const args = [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${path.join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ]
  const child = spawn(program(), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ask = async (route: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${route}`)
    return (await response.json()) as { status: string; error?: string; data: unknown }
  }
  const query = async (expression: string): Promise<Found[]> => {
    const { status, error, data } = await ask(`query?query=${encodeURIComponent(expression)}`)
    if (status !== 'success') throw new Error(`${expression}: ${error}`)
    const { result } = data as { result: { metric: Record<string, string>; value: [number, string] }[] }
    return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }))
  }
  const prometheus: Prometheus = {
    query,
    async rules() {
      const { data } = await ask('rules')
      return (data as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules)
    },
    async stop() {
      if (child.exitCode === null) {
        const exited = once(child, 'exit')
        child.kill('SIGKILL')
        await exited
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
  const twice = async () => (await query('min(count_over_time(up[1m])) >= 2').catch(() => [])).length > 0
  while (!(await twice())) {
    if (child.exitCode !== null) throw new Error(`prometheus ended with ${child.exitCode}: ${stderr}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return prometheus
}
