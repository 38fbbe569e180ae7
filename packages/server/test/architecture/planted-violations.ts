import { relative } from 'node:path/posix'
import { floors, ruleNameOf } from '../../../../scripts/floors.ts'

/** A file that breaks a rule, by its import. */
export interface PlantedViolation {
  rule: string
  file: string
  source: string
}

const server = 'packages/server/src'

/** A file of a floor that no other list here names. */
function plantedFileOf(path: string): string {
  return `${server}/${path.endsWith('.ts') ? path : `${path.replace('*', 'planted')}/planted.ts`}`
}

function importOf(from: string, to: string): string {
  const path = relative(from.slice(0, from.lastIndexOf('/')), to)
  return `import '${path.startsWith('.') ? path : `./${path}`}'`
}

/** In each floor one file that imports a file of the floor above it. */
const upwards: PlantedViolation[] = floors.slice(1).map((floor, index) => {
  const file = plantedFileOf(floor.path)
  return { rule: ruleNameOf(floor), file, source: importOf(file, plantedFileOf(floors[index]?.path ?? '')) }
})

/** Imports across floors that once were possible, and imports that a floor with a list of its own may not have. */
const acrossFloors: PlantedViolation[] = [
  ['floor-mail-in', 'mail/in/across.ts', 'http/planted.ts'],
  ['floor-mail-out', 'mail/out/across.ts', 'features/users/user.ts'],
  ['floor-imports', 'imports/across.ts', 'features/planted.ts'],
  ['floor-imports-run', 'imports/run/across.ts', 'http/planted.ts'],
  ['floor-shared', 'shared/across.ts', 'features/planted.ts'],
  ['floor-live', 'live/across.ts', 'mail/parse/planted.ts'],
  ['floor-jobs', 'jobs/across.ts', 'delivery/engine/planted.ts'],
  ['floor-security', 'security/across.ts', 'features/planted.ts'],
  ['floor-storage', 'storage/across.ts', 'ports/planted.ts'],
  ['floor-ports', 'ports/across.ts', 'adapters/sqlite/sqlite.ts'],
  ['floor-adapters-each', 'adapters/planted/across.ts', 'jobs/planted.ts'],
  ['floor-adapters-each', 'adapters/mongo/across.ts', 'adapters/sqlite/sqlite.ts'],
  ['floor-features-each', 'features/customers/across.ts', 'features/inboxes/inbox.ts'],
  ['floor-features-each', 'features/customers/driver.ts', 'adapters/sqlite/sqlite.ts'],
  ['floor-features-conversations', 'features/conversations/across.ts', 'features/users/user.ts'],
  ['each-folder-has-a-line', 'unlisted/unlisted.ts', 'ports/planted.ts'],
  ['floor-http', 'http/across.ts', 'unlisted/unlisted.ts'],
].map(([rule = '', from, to]) => ({
  rule,
  file: `${server}/${from}`,
  source: importOf(`${server}/${from}`, `${server}/${to}`),
}))

/** The violation of each rule that is written by hand: the rule's name, the file that breaks it, and its import. */
const byRule: Record<string, { file: string; source: string }> = {
  'core-imports-only-zod': { file: 'packages/core/src/a/express.ts', source: "import 'express'" },
  'package-folder-imports-only-zip': {
    file: 'packages/core/src/package-folder/express.ts',
    source: "import 'express'",
  },
  'core-has-no-node-modules': { file: 'packages/core/src/a/files.ts', source: "import 'node:fs'" },
  'express-is-the-shell': { file: 'packages/server/src/http/app.ts', source: "import 'express'" },
  'only-parts-imports-adapters': {
    file: 'packages/server/src/index.ts',
    source: "import './adapters/sqlite/sqlite.ts'",
  },
  'storage-threads-load-no-schemas': {
    file: 'packages/server/src/storage/kinds/schema.ts',
    source: "import '../../../../core/src/a/value.ts'",
  },
  'sqlite-driver-in-its-adapter': {
    file: 'packages/server/src/adapters/mongo/driver.ts',
    source: "import 'better-sqlite3'",
  },
  'mongo-driver-in-its-adapter': {
    file: 'packages/server/src/adapters/sqlite/driver.ts',
    source: "import 'mongoose'",
  },
  'bullmq-in-its-adapter': { file: 'packages/server/src/jobs/queue.ts', source: "import 'bullmq'" },
  'redis-driver-in-its-adapters': {
    file: 'packages/server/src/jobs/cache.ts',
    source: "import 'ioredis'",
  },
  'sdk-and-cli-do-not-import-the-server': {
    file: 'packages/cli/src/main.ts',
    source: "import '../../server/src/features/users/user.ts'",
  },
  'sdk-imports-core-types-only': {
    file: 'packages/sdk/src/client.ts',
    source: "import { value } from '../../core/src/a/value.ts'\nexport const copy = value",
  },
  'no-package-inwards': {
    file: 'packages/core/src/a/client.ts',
    source: "import '../../../sdk/src/types.ts'",
  },
  'widget-imports-nothing': { file: 'packages/widget/src/browser/frame/helper.ts', source: "import 'zod'" },
  'widget-is-built-not-imported': {
    file: 'packages/sdk/src/widget.ts',
    source: "import '../../widget/src/browser/frame/text.ts'",
  },
  'console-api-alone-knows-the-sdk': {
    file: 'packages/console/src/store/client.ts',
    source: "import '../../../sdk/src/types.ts'",
  },
  'console-layers': {
    file: 'packages/console/src/ui/avatar.tsx',
    source: "import '../store/people.ts'",
  },
  'console-store-knows-no-screen': {
    file: 'packages/console/src/store/list.ts',
    source: "import '../ui/button.tsx'",
  },
  'console-features-do-not-import-each-other': {
    file: 'packages/console/src/features/inbox/list.tsx',
    source: "import '../thread/thread.tsx'",
  },
  'console-is-built-not-imported': {
    file: 'packages/sdk/src/console.ts',
    source: "import '../../console/src/store/people.ts'",
  },
  'no-cycles': { file: 'packages/core/src/a/cycle-one.ts', source: "import './cycle-two.ts'" },
  resolvable: { file: 'packages/core/src/a/typo.ts', source: "import './vaule.ts'" },
  'sources-do-not-import-tests': {
    file: 'packages/core/src/a/shipped.ts',
    source: "import './value.test.ts'",
  },
}

/** A small project with a violation of each rule. */
export const plantedViolations: readonly PlantedViolation[] = [
  ...Object.entries(byRule).map(([rule, planted]) => ({ rule, ...planted })),
  ...upwards,
  ...acrossFloors,
]

/** The files that the planted files import, and files that are allowed what their neighbours are not. */
export const soundFiles: Record<string, string> = {
  'packages/core/src/a/value.ts': 'export const value = 1',
  'packages/core/src/a/value.test.ts': "import 'node:fs'",
  'packages/core/src/a/cycle-two.ts': "import './cycle-one.ts'",
  'packages/core/src/a/schema.ts': "import 'zod'",
  'packages/core/src/signing/hmac.node.ts': "import 'node:crypto'",
  'packages/widget/src/browser/frame/text.ts': 'export const text = 1',
  'packages/widget/src/browser/frame/page.ts': "import './text.ts'",
  'packages/console/src/store/people.ts': 'export const people = 1',
  'packages/console/src/ui/button.tsx': 'export const button = 1',
  'packages/console/src/features/thread/thread.tsx': "import '../../ui/button.tsx'",
  'packages/sdk/src/types.ts':
    "import type { value } from '../../core/src/a/value.ts'\nexport type V = typeof value",
  'packages/sdk/src/webhooks/index.ts': "import '../../../core/src/signing/hmac.node.ts'",
  'packages/server/src/adapters/sqlite/sqlite.ts': "import 'better-sqlite3'",
  'packages/server/src/main/compose/parts.ts': "import '../../adapters/sqlite/sqlite.ts'",
  'packages/server/src/features/users/release.ts': "import '../conversations/change.ts'",
  'packages/server/src/features/conversations/change.ts': 'export const change = 1',
  'packages/server/src/http/pages/console.ts': "import 'express'",
  'packages/server/src/features/users/user.ts': 'export const user = 1',
  'packages/server/src/features/inboxes/inbox.ts': 'export const inbox = 1',
  'packages/server/src/features/privacy/decide.ts': "import '../users/user.ts'",
  'packages/server/test/journeys/app.ts': "import 'express'\nimport '../../src/adapters/sqlite/sqlite.ts'",
}

/** Stubs stand in for the packages: the rules look at paths, and the fixture must install nothing. */
export const stubbedPackages: readonly string[] = [
  'zod',
  'express',
  'better-sqlite3',
  'mongoose',
  'bullmq',
  'ioredis',
]
