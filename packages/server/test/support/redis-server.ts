import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { findLastingPort } from './free-port.ts'
import { pauseProcess } from './pause-process.ts'

/** A Redis of its own, which tests may damage. */
export interface RedisServer {
  readonly url: string
  readonly pid: number
  /** Runs an inline command (`INFO memory`) on a connection of its own; returns the unparsed reply. */
  ask(command: string): Promise<string>
  /** Deletes all its data. */
  flush(): Promise<void>
  /** SIGKILL; what was not in the append-only file is lost. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  restart(): Promise<void>
  /** SIGSTOP: connections stay open, and no request gets a reply. */
  pause(): Promise<void>
  resume(): void
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

interface RedisOptions {
  /** Keeps an append-only file, so that a restart restores everything. */
  appendOnly?: boolean
}

/** Starts the program and waits until it serves; undefined when it ended before that. */
async function launch(program: string, args: readonly string[]): Promise<ChildProcess | undefined> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const failed = once(child, 'exit').then(() => undefined)
  const lines = createInterface({ input: child.stdout })
  const ready = new Promise<ChildProcess>((resolve) => {
    lines.on('line', (line) => line.includes('Ready to accept connections') && resolve(child))
  })
  return Promise.race([ready, failed])
}

function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    let said = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    socket.on('error', reject).on('close', () => resolve(said.replace(/\+OK\r\n$/, '')))
    // Redis replies in order and hangs up after QUIT: everything before that is the reply.
    socket.write(`${command}\r\nQUIT\r\n`)
  })
}

/** The program that `CRM_TEST_REDIS_BINARY` names, on a free port, without snapshots. */
export async function startRedis({ appendOnly = false }: RedisOptions = {}): Promise<RedisServer> {
  const program = process.env['CRM_TEST_REDIS_BINARY']
  if (!program) throw new Error('CRM_TEST_REDIS_BINARY names no redis-server')
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-redis-'))
  let port = await findLastingPort()
  const start = () => {
    const settings = {
      port,
      bind: '127.0.0.1',
      dir: directory,
      save: '',
      appendonly: appendOnly ? 'yes' : 'no',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    return launch(program, args)
  }
  let running = await start()
  for (let tries = 1; running === undefined; tries++) {
    if (tries === 5) throw new Error(`${program} does not start`)
    port = await findLastingPort()
    running = await start()
  }
  let child = running
  // A test runner that is ended early must not leave it running.
  const killAtExit = () => void child.kill('SIGKILL')
  process.once('exit', killAtExit)

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid as number
    },
    ask: (command) => ask(port, command),
    flush: async () => void (await ask(port, 'FLUSHALL')),
    kill,
    async restart() {
      const again = await start()
      if (again === undefined) throw new Error(`${program} does not start again on port ${port}`)
      child = again
    },
    pause: () => pauseProcess(child.pid as number),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      process.off('exit', killAtExit)
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
