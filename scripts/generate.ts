// Writes every file that is derived from core, the command tree, the titles of tests and scripts/floors.ts. With --check it writes nothing:
// it names the stale files and exits with 1.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isOfWidget, type Operation } from '../packages/core/src/contract/define-operation.ts'
import { operations } from '../packages/core/src/contract/operations.ts'
import {
  cliOperationsFile,
  cliOperationsFolder,
  readCommands,
  renderCliOperations,
} from './generate/cli-operations.ts'
import { renderCliReference } from './generate/cli-reference.ts'
import { conformancePath, renderConformance } from './generate/conformance.ts'
import { contractPath, renderContract } from './generate/contract-tables.ts'
import { referencePath } from './generate/describe-method.ts'
import { mapPath, renderMap } from './generate/floors-map.ts'
import { openapiPath, renderOpenapi } from './generate/openapi.ts'
import { renderPackageSchemas } from './generate/package-schemas.ts'
import { readmePath, renderReadme } from './generate/readme-table.ts'
import { renderEvents } from './generate/sdk-events.ts'
import { sdkMethodsOf } from './generate/sdk-method.ts'
import { renderSdkReference } from './generate/sdk-reference.ts'
import {
  generatedNotice,
  renderResource,
  renderRoutes,
  renderTree,
  resourceFile,
} from './generate/sdk-resources.ts'
import { renderSampleEvents, renderSampleReplies, renderSamples } from './generate/sdk-samples.ts'
import {
  exampleEnvironmentPath,
  renderExampleEnvironment,
  renderSettings,
  settingsPath,
} from './generate/settings-reference.ts'
import { TypeBook } from './generate/type-book.ts'

const root = join(import.meta.dirname, '..')
const sdkFolder = join(root, 'packages/sdk/src/resources')
const testingFolder = join(root, 'packages/sdk/src/testing')

function sdkFiles(): Map<string, string> {
  const book = new TypeBook()
  // The frame of the widget is the client of its operations: they would only make every other bundle larger.
  const offered = operations.filter((operation: Operation) => !isOfWidget(operation))
  const families = offered.map((operation: Operation) => sdkMethodsOf(operation, book))
  // One for each operation; only a client has the further ones.
  const methods = families.map(([method]) => method)
  const areas = Map.groupBy(families.flat(), ({ area }) => area)
  const files = new Map<string, string>()
  const add = (name: string, text: string, folder = sdkFolder) =>
    files.set(join(folder, `${name}.gen.ts`), `${generatedNotice}\n${text}`)
  for (const [area, members] of areas) add(resourceFile(area), renderResource(area, members, book.names()))
  const commands = readCommands(root)
  for (const [area, members] of Map.groupBy(methods, ({ area }) => area)) {
    const text = renderCliOperations(area, members, { commands, typeNames: book.names() })
    if (text !== undefined)
      files.set(join(root, cliOperationsFolder, cliOperationsFile(area)), `${generatedNotice}\n${text}`)
  }
  add('routes', renderRoutes(methods))
  add('resource-tree', renderTree([...areas.keys()]))
  add('types', `\n${book.render()}\n`)
  add('events', renderEvents())
  add('samples', renderSamples(book), testingFolder)
  add('sample-events', renderSampleEvents(book), testingFolder)
  add('sample-replies', renderSampleReplies(methods, book), testingFolder)
  files.set(join(root, referencePath), renderSdkReference(areas, book))
  return files
}

function isCurrent(path: string, text: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8') === text
}

const isCheck = process.argv.includes('--check')

/** Writes the stale files, or only names them in a check; returns their paths. */
function update(files: ReadonlyMap<string, string>): string[] {
  const stale = [...files].filter(([path, text]) => !isCurrent(path, text))
  for (const [path, text] of stale) {
    if (!isCheck) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    process.stderr.write(`${isCheck ? 'stale: ' : ''}${relative(root, path)}\n`)
  }
  return stale.map(([path]) => path)
}

const files = sdkFiles()
const orphans = globSync(join(root, 'packages/{sdk,cli}/src/*/*.gen.ts')).filter((path) => !files.has(path))
const stale = update(files)
files.clear()
// The commands are loaded now, because they load operations that were possibly written a moment ago.
files.set(join(root, 'docs/reference/cli.md'), await renderCliReference())
files.set(join(root, settingsPath), renderSettings())
files.set(join(root, exampleEnvironmentPath), renderExampleEnvironment())
files.set(join(root, openapiPath), renderOpenapi())
files.set(join(root, conformancePath), renderConformance(root))
files.set(join(root, contractPath), renderContract(root))
files.set(join(root, readmePath), renderReadme(root))
files.set(join(root, mapPath), renderMap(root))
stale.push(...update(files), ...update(renderPackageSchemas(root)))
for (const path of orphans) {
  if (!isCheck) rmSync(path)
  process.stderr.write(`orphan: ${relative(root, path)}\n`)
}
// Imported now, because it loads samples that were possibly written a moment ago.
const { eventsReferencePath, renderEventsReference } = await import('./generate/events-reference.ts')
stale.push(...update(new Map([[join(root, eventsReferencePath), renderEventsReference()]])))

if (isCheck && stale.length + orphans.length > 0) {
  process.stderr.write('Run `npm run generate` and commit the result.\n')
  process.exitCode = 1
}
