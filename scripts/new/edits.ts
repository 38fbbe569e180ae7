// Collects the files that `npm run new` writes: a test reads them from memory, the command puts them on the disk.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Edits {
  exists(file: string): boolean
  read(file: string): string
  write(file: string, text: string): void
  /** The new content of files, by their path in the repository. */
  readonly written: ReadonlyMap<string, string>
}

/** Edits of the files of a repository, which stay unchanged until `save`. */
export function editsOf(root: string): Edits {
  const written = new Map<string, string>()
  return {
    written,
    exists: (file) => written.has(file) || existsSync(join(root, file)),
    read: (file) => written.get(file) ?? readFileSync(join(root, file), 'utf8'),
    write: (file, text) => void written.set(file, text),
  }
}

export function save(root: string, { written }: Edits): void {
  for (const [file, text] of written) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}

interface Insertion {
  file: string
  /** Finds the first line with this text; the new line is inserted before it. */
  anchor: string
  line: string
}

function lineAt(edits: Edits, { file, anchor }: Insertion): { text: string; index: number } {
  const text = edits.read(file)
  const index = text.indexOf(anchor)
  if (index < 0) throw new Error(`${file} has no "${anchor}" any more: change scripts/new/ with it`)
  return { text, index }
}

/** Puts a line before the anchor. */
export function insertBefore(edits: Edits, insertion: Insertion): void {
  const { text, index } = lineAt(edits, insertion)
  const start = text.lastIndexOf('\n', index) + 1
  edits.write(insertion.file, `${text.slice(0, start)}${insertion.line}\n${text.slice(start)}`)
}

/** Puts an import before the first one; the formatter sorts them. */
export function addImport(edits: Edits, file: string, line: string): void {
  edits.write(file, `${line}\n${edits.read(file)}`)
}

/** Imports the names that the file uses and does not import yet, from those that `modules` have. */
export function addMissingImports(
  edits: Edits,
  file: string,
  modules: Readonly<Record<string, readonly string[]>>,
): void {
  for (const [module, names] of Object.entries(modules)) {
    const text = edits.read(file)
    const imports = [...text.matchAll(/^import [^;]*? from '.*'$/gms)].map(([found]) => found).join('\n')
    const body = text.replaceAll(/^import [^;]*? from '.*'$/gms, '')
    const has = (where: string, name: string) => new RegExp(`\\b${name}\\b`).test(where)
    const missing = names.filter((name) => has(body, name) && !has(imports, name))
    if (missing.length > 0) addImport(edits, file, `import { ${missing.join(', ')} } from '${module}'`)
  }
}

export function create(edits: Edits, file: string, text: string): void {
  if (edits.exists(file)) throw new Error(`${file} exists already`)
  edits.write(file, text)
}
