import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '../../context.ts'
import { isCode } from '../../profile/file-lock.ts'
import type { Target } from '../../profile/resolve-target.ts'
import { writePrivateFile } from '../../profile/write-private-file.ts'

/** The state of `webhooks listen` for one profile, stored between runs. */
export interface ListenState {
  /** Signs forwarded events; generated once, so that the settings of a receiver stay valid. */
  readonly secret: string
  /** The position after the last forwarded event of this server; undefined before the first one. */
  readonly position: string | undefined
  /** Sets the position in memory; it is written every half second and when the process ends. */
  moveTo(position: string): void
}

interface ListenFile {
  readonly secret: string
  readonly positions: Readonly<Record<string, string>>
}

const writeEveryMs = 500

/** After a kill, the events of the last half second may be forwarded again; none is skipped. */
export async function openListenState(
  { store }: Context,
  { profileName, baseUrl = '' }: Target,
): Promise<ListenState> {
  const directory = dirname(store.path)
  const path = join(directory, `listen-${profileName}.json`)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  let file = await readListenFile(path)
  if (file === undefined) {
    file = { secret: `whsec_${randomBytes(32).toString('base64')}`, positions: {} }
    await writePrivateFile(path, textOf(file))
  }
  let current = file
  let timer: NodeJS.Timeout | undefined
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    const draft = `${path}.tmp`
    writeFileSync(draft, textOf(current), { mode: 0o600 })
    renameSync(draft, path)
  }
  process.on('exit', () => {
    if (timer !== undefined) write()
  })
  return {
    secret: file.secret,
    position: file.positions[baseUrl],
    moveTo(position) {
      current = { ...current, positions: { ...current.positions, [baseUrl]: position } }
      timer ??= setTimeout(write, writeEveryMs).unref()
    },
  }
}

async function readListenFile(path: string): Promise<ListenFile | undefined> {
  try {
    const file = JSON.parse(await readFile(path, 'utf8')) as Partial<ListenFile>
    return typeof file.secret === 'string'
      ? { secret: file.secret, positions: file.positions ?? {} }
      : undefined
  } catch (error) {
    // A damaged file is replaced: all of its content can be generated again.
    if (error instanceof SyntaxError || isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function textOf(file: ListenFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}
