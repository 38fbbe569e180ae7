// Small projects that use the packed SDK as a stranger would: ESM, CommonJS, TypeScript, a bundler, an edge runtime
// and a page. Each runs the same calls (packages/sdk/test/projects/story.mjs) against the packed server. One more, a
// Next app, receives webhooks.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { documentationBase, referencePath } from './generate/describe-method.ts'
import type { PackedPackage } from './pack-packages.ts'
import { execute } from './run-steps.ts'

const sources = resolve('packages/sdk/test/projects')
const bin = resolve('node_modules/.bin')
/** The compiler that most users have. */
const compiler = resolve('node_modules/typescript/bin/tsc')
/** The runtime that Cloudflare's workers run in; it brings no Node module unless asked to. */
const workerdVersion = '1.20261117.1'
const nextPackages = ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1']
const projectTimeoutMs = 120_000

interface Places {
  readonly directory: string
  /** The folder of the server's installation. */
  readonly service: string
}

interface Service {
  /** Of the SDK, for a project that must have it in its own folder. */
  readonly tarball: string
  readonly baseUrl: string
  readonly apiKey: string
  /** The result that the page posted. */
  readonly pageResult: () => Promise<string>
}

/** Installs the SDK's tarball alone, and runs every project against a service from the installed server. */
export async function runSdkProjects(
  packages: readonly PackedPackage[],
  { directory, service }: Places,
): Promise<number> {
  const tarball = packages.find(({ name }) => name === '@crmkit/sdk')?.tarball
  if (tarball === undefined) return 1
  // A folder with nothing but the SDK: dependencies of another package must not help it.
  const projects = join(directory, 'projects')
  mkdirSync(projects)
  const dependencies = { '@crmkit/sdk': `file:${tarball}` }
  writeFileSync(join(projects, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const installed = await execute('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: projects,
  })
  if (installed !== 0) return installed
  if (!existsSync(join(projects, documentationBase, referencePath))) {
    process.stderr.write(`the installed SDK lacks the reference that its types link to: ${referencePath}\n`)
    return 1
  }
  cpSync(sources, projects, { recursive: true })
  copyFileSync(join(projects, 'service/serve.mjs'), join(service, 'serve.mjs'))
  const server = spawn('node', ['serve.mjs'], {
    cwd: service,
    env: { ...process.env, SERVER: '@crmkit/server', FOLDER: join(projects, 'browser') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    return await runAll(projects, { ...(await addressOf(server)), tarball })
  } finally {
    server.kill('SIGTERM')
  }
}

async function runAll(projects: string, service: Service): Promise<number> {
  const runs: Record<string, (cwd: string) => Promise<string>> = {
    esm: (cwd) => output('node', ['main.mjs'], { cwd, service }),
    cjs: (cwd) => output('node', ['main.cjs'], { cwd, service }),
    nodenext: (cwd) => runTypeScript(cwd, service),
    bundler: async (cwd) => {
      await bundle(cwd, ['--platform=node', '--outfile=bundle.mjs'])
      return output('node', ['bundle.mjs'], { cwd, service })
    },
    edge: (cwd) => runEdge(cwd, service),
    browser: (cwd) => runBrowser(cwd, service),
    next: (cwd) => runNext(cwd, service),
  }
  const prove = async (name: string): Promise<boolean> => {
    const startedAt = performance.now()
    const outcome =
      (await runs[name]?.(join(projects, name)).catch((error: Error) => error.message)) ?? 'has no program'
    const isGood = outcome === 'passed' || outcome.startsWith('left out')
    process.stderr.write(
      `${isGood ? '✓' : '✗'} sdk project ${name}: ${outcome} (${Math.round(performance.now() - startedAt)} ms)\n`,
    )
    return isGood
  }
  // One of the projects takes as long as all others together.
  const longest = prove('next')
  const results: boolean[] = []
  for (const name of Object.keys(runs).filter((each) => each !== 'next')) results.push(await prove(name))
  return [await longest, ...results].every(Boolean) ? 0 : 1
}

async function runTypeScript(cwd: string, service: Service): Promise<string> {
  const typeRoots = resolve('node_modules/@types')
  await output('node', [compiler, '-p', 'tsconfig.json', '--typeRoots', typeRoots], { cwd })
  await output('node', [compiler, '-p', 'tsconfig.dom.json'], { cwd })
  // Node strips the types that tsc has checked.
  return output('node', ['main.mts'], { cwd, service })
}

async function runEdge(cwd: string, { baseUrl, apiKey }: Service): Promise<string> {
  await install(cwd, `workerd@${workerdVersion}`)
  await bundle(cwd, ['--platform=neutral', '--conditions=workerd,worker,browser', '--outfile=bundle.mjs'])
  const child = spawn(
    join(cwd, 'node_modules', '.bin', 'workerd'),
    ['serve', 'config.capnp', '--control-fd=1'],
    {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    const { port } = JSON.parse(await nextLine(child)) as { port: number }
    const query = new URLSearchParams({ service: JSON.stringify({ baseUrl, apiKey }) })
    const response = await fetch(`http://127.0.0.1:${port}/?${query}`, {
      signal: AbortSignal.timeout(projectTimeoutMs),
    })
    return await response.text()
  } finally {
    child.kill()
  }
}

async function runBrowser(cwd: string, { baseUrl, apiKey, pageResult }: Service): Promise<string> {
  const chromium = process.env['CRM_TEST_CHROMIUM']
  if (!chromium) {
    if (process.env['CI']) throw new Error('CRM_TEST_CHROMIUM names no browser')
    return 'left out: needs Chromium; set CRM_TEST_CHROMIUM to run it'
  }
  await bundle(cwd, ['--platform=browser', '--outfile=bundle.js'])
  const page = `${baseUrl}/page/page.html?key=${apiKey}`
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--user-data-dir=profile',
    '--remote-debugging-port=0',
  ]
  const child = spawn(chromium, [...flags, page], { cwd, stdio: 'ignore' })
  try {
    return JSON.parse(await pageResult())
  } finally {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  }
}

/** Both of Next's runtimes, after a real build. */
async function runNext(cwd: string, { tarball }: Service): Promise<string> {
  await install(cwd, ...nextPackages, `file:${tarball}`)
  const next = join(cwd, 'node_modules', 'next', 'dist', 'bin', 'next')
  await output('node', [next, 'build'], { cwd })
  const child = spawn('node', [next, 'start', '--port', '0'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [baseUrl = ''] = (await nextLine(child, /http:\/\/localhost:\d+/)).match(/http:\S+/) ?? []
    return await output('node', ['post.mjs'], { cwd, service: { baseUrl } })
  } finally {
    child.kill()
  }
}

/** `--prefix`, because without a package.json of the folder's own npm would install into the one above. */
function install(cwd: string, ...names: readonly string[]): Promise<string> {
  return output(
    'npm',
    ['install', '--prefix', '.', '--no-audit', '--no-fund', '--loglevel=error', ...names],
    {
      cwd,
    },
  )
}

function bundle(cwd: string, options: readonly string[]): Promise<string> {
  return output(
    join(bin, 'esbuild'),
    ['main.mjs', '--bundle', '--format=esm', '--log-level=error', ...options],
    {
      cwd,
    },
  )
}

/** The output of a program. Throws it when the program failed. */
async function output(
  command: string,
  args: readonly string[],
  { cwd, service }: { cwd: string; service?: Partial<Service> },
): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', SERVICE: JSON.stringify(service ?? {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: projectTimeoutMs,
  })
  const texts: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => texts.push(text))
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${args[0]} ended with ${code}:\n${texts.join('')}`)
  return texts.join('').trim()
}

async function addressOf(server: ChildProcess): Promise<Omit<Service, 'tarball'>> {
  const { baseUrl, apiKey } = JSON.parse(await nextLine(server)) as { baseUrl: string; apiKey: string }
  return { baseUrl, apiKey, pageResult: () => nextLine(server) }
}

/** Returns the next printed line that matches; throws when the program ends before. */
function nextLine(child: ChildProcess, pattern = /./): Promise<string> {
  const { stdout } = child
  if (!stdout) throw new Error('The program has no output')
  const lines = createInterface({ input: stdout })
  return new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => pattern.test(line) && resolve(line))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The program ended with ${code}`)))
    AbortSignal.timeout(projectTimeoutMs).addEventListener('abort', () => reject(new Error('Nothing came')))
  }).finally(() => {
    lines.close()
    stdout.resume()
  })
}
