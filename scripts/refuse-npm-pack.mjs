// Runs before a package is packed or published. Only pnpm replaces `workspace:^` by versions and applies `publishConfig`:
// what npm packs cannot be installed.
if (!process.env.npm_config_user_agent?.startsWith('pnpm/')) {
  process.stderr.write('Pack and publish with pnpm: npm would leave "workspace:^" in the package.\n')
  process.exit(1)
}
