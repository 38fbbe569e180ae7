// The walls of the house: who may import whom. `packages/server/test/architecture/` plants one violation of
// every rule below and expects it to be caught, so a rule that matches nothing cannot pass in silence.

import { floorRules } from './scripts/floors.ts'

const testFiles = '\\.(test|contract)\\.ts$|^packages/[^/]+/(test|bench)/'

/** An installed package by its real path (pnpm's store), or by its bare name when it is not installed. */
function packages(...names) {
  return names.flatMap((name) => [`(^|/)node_modules/(@types/)?${name}(/|$)`, `^${name}(/|$)`])
}

function consoleSource(path) {
  return `^packages/console/src/${path}`
}

function server(path) {
  return `^packages/server/src/${path}`
}

/** A driver belongs to one adapter folder: swapping it out is then a matter of that folder. */
function driverRule({ name, drivers, adapters }) {
  return {
    name,
    comment: `Only ${adapters.join(', ')} may import ${drivers.join(', ')}.`,
    severity: 'error',
    from: {
      path: '^(packages|examples)/',
      pathNot: [testFiles, ...adapters.map((folder) => server(`adapters/${folder}/`))],
    },
    to: { path: packages(...drivers) },
  }
}

const coreRules = [
  {
    name: 'core-imports-only-zod',
    comment:
      'Core is pure: no package but zod, and no Node module, so that it also runs in a browser or at the edge.',
    severity: 'error',
    from: { path: '^packages/core/src/', pathNot: [testFiles, '^packages/core/src/package-folder/'] },
    to: { pathNot: ['^packages/core/', ...packages('zod')], dependencyTypesNot: ['core'] },
  },
  {
    name: 'package-folder-imports-only-zip',
    comment: 'The folder of a package, which needs Node, has the archive besides.',
    severity: 'error',
    from: { path: '^packages/core/src/package-folder/', pathNot: testFiles },
    to: { pathNot: ['^packages/core/', ...packages('zod', 'yauzl', 'yazl')], dependencyTypesNot: ['core'] },
  },
  {
    name: 'core-has-no-node-modules',
    comment: 'Only the Node half of #hmac and the folder of a package may use node:* modules.',
    severity: 'error',
    from: {
      path: '^packages/core/src/',
      pathNot: [
        testFiles,
        '^packages/core/src/signing/hmac\\.node\\.ts$',
        '^packages/core/src/package-folder/',
      ],
    },
    to: { dependencyTypes: ['core'] },
  },
]

const serverRules = [
  ...floorRules(testFiles),
  {
    name: 'express-is-the-shell',
    comment:
      'Express serves the pages and mounts the API; the API itself, its features and its storage do not know it.',
    severity: 'error',
    from: {
      path: '^packages/[^/]+/src/',
      pathNot: [testFiles, server('main/'), server('http/(router\\.ts$|pages/)')],
    },
    to: { path: packages('express') },
  },
  {
    name: 'only-parts-imports-adapters',
    comment:
      'main/compose/parts.ts and databases.ts are the one place that chooses; an adapter may import its own folder.',
    severity: 'error',
    from: {
      path: '^(packages|examples)/',
      pathNot: [testFiles, server('main/compose/(parts|databases)\\.ts$'), server('adapters/')],
    },
    to: { path: server('adapters/') },
  },
  {
    name: 'storage-threads-load-no-schemas',
    comment:
      "SQLite's threads load storage and the adapter; the schemas of the contract would be loaded once more in each of them.",
    severity: 'error',
    from: { path: server('(storage|adapters/sqlite)/'), pathNot: testFiles },
    to: {
      path: '^packages/core/',
      pathNot: '^packages/core/(src|dist)/vocabulary\\.',
      dependencyTypesNot: ['type-only'],
    },
  },
]

const driverRules = [
  { name: 'sqlite-driver-in-its-adapter', drivers: ['better-sqlite3'], adapters: ['sqlite'] },
  { name: 'mongo-driver-in-its-adapter', drivers: ['mongoose', 'mongodb'], adapters: ['mongo'] },
  { name: 'bullmq-in-its-adapter', drivers: ['bullmq'], adapters: ['bullmq'] },
  { name: 'redis-driver-in-its-adapters', drivers: ['ioredis'], adapters: ['redis', 'bullmq'] },
].map(driverRule)

const clientRules = [
  {
    name: 'sdk-and-cli-do-not-import-the-server',
    comment: 'They speak to it over HTTP alone.',
    severity: 'error',
    from: { path: '^packages/(sdk|cli)/src/', pathNot: testFiles },
    to: { path: '^packages/server/' },
  },
  {
    name: 'sdk-imports-core-types-only',
    comment: 'A value would pull zod into every client. The signing code is bundled on purpose.',
    severity: 'error',
    from: { path: '^packages/sdk/src/', pathNot: testFiles },
    to: {
      path: '^packages/core/',
      pathNot: '^packages/core/src/signing/',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'no-package-inwards',
    comment:
      'Core and the server know none of the packages that are built on them, except that an embedded service has a client.',
    severity: 'error',
    from: {
      path: '^packages/(core|server)/src/',
      pathNot: [testFiles, server('main/(create-crm\\.ts$|embedding/)')],
    },
    to: { path: '^packages/(sdk|cli)/' },
  },
]

const widgetRules = [
  {
    name: 'widget-imports-nothing',
    comment: "Visitors load every byte of it, and it talks to the server's endpoints alone.",
    severity: 'error',
    from: { path: '^packages/widget/src/browser/', pathNot: testFiles },
    to: { pathNot: '^packages/widget/src/browser/' },
  },
  {
    name: 'widget-is-built-not-imported',
    comment:
      'The page that serves it builds it from the sources; the package contains the built files. The console reads Markdown as the chat does.',
    severity: 'error',
    from: { path: '^packages/(?!widget/)', pathNot: [testFiles, server('http/pages/widget/')] },
    to: { path: '^packages/widget/', pathNot: '^packages/widget/src/browser/frame/(markdown|linkify)[.]ts$' },
  },
]

const consoleRules = [
  {
    name: 'console-api-alone-knows-the-sdk',
    comment:
      "The screens see the console's own functions and the types of the contract, so the SDK is used in one folder.",
    severity: 'error',
    from: { path: '^packages/console/src/', pathNot: [testFiles, consoleSource('(api|build)/')] },
    to: { path: '^packages/(sdk|core)/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'console-layers',
    comment:
      'ui knows nothing of the product; api nothing of the store; neither store nor api knows a screen.',
    severity: 'error',
    from: { path: consoleSource('(ui|api|strings)/'), pathNot: testFiles },
    to: { path: consoleSource('(app|features|store)/') },
  },
  {
    name: 'console-store-knows-no-screen',
    comment: 'The store holds what the screens show, and decides nothing about how.',
    severity: 'error',
    from: { path: consoleSource('store/'), pathNot: testFiles },
    to: { path: consoleSource('(app|features|ui)/') },
  },
  {
    name: 'console-features-do-not-import-each-other',
    comment: 'One screen is one folder; app puts them together.',
    severity: 'error',
    from: { path: consoleSource('features/([^/]+)/'), pathNot: testFiles },
    to: { path: consoleSource('(app|features/[^/]+)/'), pathNot: consoleSource('features/$1/') },
  },
  {
    name: 'console-is-built-not-imported',
    comment: 'The page that serves it builds it from the sources; the package contains the built files.',
    severity: 'error',
    from: { path: '^packages/(?!console/)', pathNot: [testFiles, server('http/pages/console/')] },
    to: { path: '^packages/console/' },
  },
]

const hygieneRules = [
  {
    name: 'no-cycles',
    comment: 'A reader must be able to begin somewhere. Types may refer to each other.',
    severity: 'error',
    from: { pathNot: testFiles },
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'resolvable',
    comment: 'An import that resolves to nothing escapes every rule above.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'sources-do-not-import-tests',
    comment: 'Test code is not shipped.',
    severity: 'error',
    from: { path: '^packages/[^/]+/src/', pathNot: testFiles },
    to: { path: testFiles },
  },
]

export default {
  forbidden: [
    ...coreRules,
    ...serverRules,
    ...driverRules,
    ...clientRules,
    ...widgetRules,
    ...consoleRules,
    ...hygieneRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/(dist|\\.tsc)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.test.json' },
    // Without these names no import of another workspace package resolves to its source.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@crmkit/source', 'node', 'import', 'require', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
}
