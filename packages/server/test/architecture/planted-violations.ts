/** A small project with one violation of each rule: the rule's name, the file that breaks it, and its import. */
export const plantedViolations: Record<string, { file: string; source: string }> = {
  'core-imports-only-zod': { file: 'packages/core/src/a/express.ts', source: "import 'express'" },
  'core-has-no-node-modules': { file: 'packages/core/src/a/files.ts', source: "import 'node:fs'" },
  'features-know-no-infrastructure': {
    file: 'packages/server/src/features/customers/store.ts',
    source: "import '../../adapters/sqlite/sqlite.ts'",
  },
  'features-do-not-import-each-other': {
    file: 'packages/server/src/features/users/neighbour.ts',
    source: "import '../inboxes/inbox.ts'",
  },
  'conversations-import-no-feature': {
    file: 'packages/server/src/features/conversations/above.ts',
    source: "import '../users/user.ts'",
  },
  'main-is-on-top': {
    file: 'packages/server/src/http/settings.ts',
    source: "import '../main/compose/parts.ts'",
  },
  'express-is-the-shell': { file: 'packages/server/src/http/app.ts', source: "import 'express'" },
  'only-parts-imports-adapters': {
    file: 'packages/server/src/index.ts',
    source: "import './adapters/sqlite/sqlite.ts'",
  },
  'adapters-do-not-import-each-other': {
    file: 'packages/server/src/adapters/mongo/borrow.ts',
    source: "import '../sqlite/sqlite.ts'",
  },
  'storage-threads-load-no-schemas': {
    file: 'packages/server/src/storage/kinds/schema.ts',
    source: "import '../../../../core/src/a/value.ts'",
  },
  'ports-know-no-implementation': {
    file: 'packages/server/src/ports/storage.ts',
    source: "import type {} from '../adapters/sqlite/sqlite.ts'",
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
