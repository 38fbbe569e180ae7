import { cpSync } from 'node:fs'

/** The documents that the doc comments of the SDK link to are part of its package, at the same relative paths. */
export function copySdkDocs(): void {
  for (const page of ['docs/sdk.md', 'docs/reference/sdk.md']) cpSync(page, `packages/sdk/dist/${page}`)
}
