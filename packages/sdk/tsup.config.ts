import { defineConfig, type Options } from 'tsup'

const shared: Options = {
  entry: {
    index: 'src/index.ts',
    webhooks: 'src/webhooks/index.ts',
    'webhooks/express': 'src/webhooks/handlers/express.ts',
    'webhooks/next': 'src/webhooks/handlers/next.ts',
    'webhooks/hono': 'src/webhooks/handlers/hono.ts',
    'webhooks/lambda': 'src/webhooks/handlers/lambda.ts',
    widget: 'src/widget/index.ts',
    testing: 'src/testing/index.ts',
    'testing/msw': 'src/testing/msw.ts',
    'hmac.node': '../core/src/signing/hmac.node.ts',
    'hmac.web': '../core/src/signing/hmac.web.ts',
  },
  target: 'es2023',
  platform: 'neutral',
  splitting: false,
  // The two builds below run at once and share dist: the build task empties it first.
  clean: false,
  // `#hmac` is chosen by the consumer's platform through this package's `imports`; bundled, it would be frozen.
  // Some entries import others by their public names: a copy of an error class would match no `instanceof`.
  external: ['#hmac', /^node:/, /^@crmkit\/sdk/, 'msw'],
  removeNodeProtocol: false,
  dts: {
    // Without `paths` the declarations would import @crmkit/core, which consumers do not have.
    compilerOptions: {
      composite: false,
      rootDir: '../..',
      paths: {
        '@crmkit/core': ['../core/src/index.ts'],
        '@crmkit/core/signing': ['../core/src/signing/index.ts'],
        '@crmkit/sdk/webhooks': ['src/webhooks/index.ts'],
        '@crmkit/sdk/testing': ['src/testing/index.ts'],
      },
    },
  },
  esbuildOptions(options) {
    options.conditions = ['@crmkit/source']
  },
}

export default defineConfig([
  { ...shared, format: 'esm', noExternal: [/^@crmkit\/core/] },
  // ky is ESM only: required as an external it would be a namespace without `create`.
  { ...shared, format: 'cjs', noExternal: [/^@crmkit\/core/, 'ky'] },
])
