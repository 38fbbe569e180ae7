// Runs one task of this workspace on any machine with Node >= 20 and npm: makes sure that the pinned
// dependencies are installed, then hands over to the pinned Node. Only built-in modules may be used here,
// because this file is what installs all the others.
//
//   node scripts/bootstrap.mjs TASK [arguments]      (`npm start`, `npm test`, `npm run TASK`)
//
// Nothing is written to stdout, so that it holds the task's own output alone.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const PNPM = 'pnpm@12.21.0'
const NODE_MAJOR_MIN = 24
const LOCK_STALE_MS = 10_000
const LOCK_REFRESH_MS = 1_000
const PARENT_CHECK_MS = 500
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const binDirectory = join(root, 'node_modules', '.bin')
const stampFile = join(root, 'node_modules', '.crmkit-installed')
const lockDirectory = join(root, '.bootstrap.lock')
const isWindows = process.platform === 'win32'
const pinnedNode = join(root, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node')

/** Hash of everything that the installation depends on; a tree copied to another platform is installed again. */
function installFingerprint() {
  const hash = createHash('sha256').update(`${PNPM} ${process.platform} ${process.arch}\n`)
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json']
  for (const folder of ['packages', 'examples']) {
    if (!existsSync(join(root, folder))) continue
    for (const name of readdirSync(join(root, folder)).sort()) files.push(join(folder, name, 'package.json'))
  }
  for (const file of files) {
    if (existsSync(join(root, file))) hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === installFingerprint()
}

function lockAgeMs() {
  return Date.now() - (statSync(lockDirectory, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
}

/** One installation at a time. The holder refreshes the lock's time, so a killed holder's lock turns stale. */
async function withInstallLock(work) {
  for (;;) {
    try {
      mkdirSync(lockDirectory)
      break
    } catch (err) {
      if (err.code !== 'EEXIST') throw err
      if (lockAgeMs() > LOCK_STALE_MS) removeLock()
      else await delay(200)
    }
  }
  const refresh = setInterval(() => utimesSync(lockDirectory, new Date(), new Date()), LOCK_REFRESH_MS)
  try {
    return await work()
  } finally {
    clearInterval(refresh)
    removeLock()
  }
}

function removeLock() {
  try {
    rmdirSync(lockDirectory)
  } catch (err) {
    if (err.code !== 'ENOENT') throw err
  }
}

/** Resolves to the exit code; a death by signal n is 128 + n, as in a shell. Rejects when it cannot start. */
function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options)
    // A terminal sends Ctrl+C to the whole process group itself: forwarding it would deliver it twice.
    const forward = (signal) => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal))
    for (const signal of FORWARDED_SIGNALS) process.on(signal, forward)
    const parentCheck = stopWithNpm(child)
    const stopForwarding = () => {
      clearInterval(parentCheck)
      for (const signal of FORWARDED_SIGNALS) process.off(signal, forward)
    }
    child.once('error', (err) => {
      stopForwarding()
      reject(err)
    })
    child.once('exit', (code, signal) => {
      stopForwarding()
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}

/** A killed npm must not leave a server behind that holds the port. Without npm, outliving the parent is allowed. */
function stopWithNpm(child) {
  if (!process.env.npm_lifecycle_event || isWindows) return undefined
  const parent = process.ppid
  return setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), PARENT_CHECK_MS)
}

async function install() {
  process.stderr.write('Installing the dependencies (first run, or the lockfile changed) ...\n')
  // CI: never ask a question. NODE_ENV=production would leave out what the tasks need.
  const env = { ...process.env, CI: 'true', NODE_ENV: '' }
  const args = ['--yes', PNPM, 'install', '--frozen-lockfile']
  const fingerprint = installFingerprint()
  const code = await run('npx', args, { cwd: root, env, stdio: ['ignore', 2, 2], shell: isWindows })
  if (code !== 0) {
    process.stderr.write(`The installation failed (npx ${args.join(' ')}, exit code ${code}).\n`)
    process.exitCode = code
    return false
  }
  writeFileSync(stampFile, fingerprint)
  return true
}

function isLoopback(host) {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** `--dev` relaxes webhook destinations, so it is added only where no other machine can reach the server. */
function developmentFlag(args) {
  const isProduction = process.env.CRM_ENVIRONMENT === 'production'
  const isLocal = isLoopback(process.env.CRM_HOST || '127.0.0.1')
  return isProduction || !isLocal || args.includes('--dev') ? [] : ['--dev']
}

/**
 * Stripping the types of the sources takes time and 25 MB, and the compiled form of a file stays true while the file is
 * the same: Node keeps it. Only for the programs that people start; tests and checks read files that change.
 */
const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node-compile-cache') }

/** These programs run without a process between them and the terminal, so that signals reach them directly. */
function commandOf(task, args) {
  const fromSource = (file) => ['--conditions=@crmkit/source', join(root, file)]
  const server = fromSource('packages/server/src/main/crm-server.ts')
  if (task === 'start')
    return { cwd: root, args: [...server, 'start', ...developmentFlag(args), ...args], env: compileCache }
  if (task === 'crm-server') return { cwd: root, args: [...server, ...args], env: compileCache }
  if (task === 'crm') {
    return {
      cwd: process.env.INIT_CWD || process.cwd(),
      args: [...fromSource('packages/cli/src/main.ts'), ...args],
      env: compileCache,
    }
  }
  return { cwd: root, args: [...fromSource('scripts/tasks.ts'), task, ...args] }
}

async function runTask(task, taskArgs) {
  const { cwd, args, env: own } = commandOf(task, taskArgs)
  const env = {
    ...own,
    ...process.env,
    CRMKIT_PNPM: PNPM,
    PATH: `${binDirectory}${delimiter}${process.env.PATH ?? ''}`,
  }
  const options = { cwd, env, stdio: 'inherit' }
  if (existsSync(pinnedNode)) {
    try {
      return await run(pinnedNode, args, options)
    } catch {
      // The binary exists but not for this system (another libc, for example): the same as a missing one.
    }
  }
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN)
    return run(process.execPath, args, options)
  process.stderr.write(
    `crmkit needs Node ${NODE_MAJOR_MIN}: its pinned copy is not available for this platform and this is Node ${process.versions.node}.\n`,
  )
  return 1
}

async function main() {
  const [task = 'help', ...args] = process.argv.slice(2)
  if (!isInstalled() && !(await withInstallLock(async () => isInstalled() || (await install())))) return
  process.exitCode = await runTask(task, args)
}

await main()
