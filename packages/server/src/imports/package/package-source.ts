import {
  type PackageKind,
  type PackageManifest,
  type PackageRecord,
  packageKinds,
  readPackageLine,
} from '@crmkit/core/package'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import { SourceFailure } from '../../ports/connector.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { Pauses } from '../../shared/pauses.ts'
import type { WaitingCallers } from '../../shared/waiting-callers.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import { findPackageFile, readManifestOf } from './package-store.ts'
import { readPackageLines } from './read-package-lines.ts'

/** Where a run goes on: behind this byte of a file. */
export interface PackagePosition {
  file: string
  byte: number
  /** Lines of the kind before it, over all files: the number of a row. */
  rows: number
}

/** A line of a package. */
export type PackageLine<K extends PackageKind = PackageKind> = {
  row: number
  position: PackagePosition
} & ({ record: PackageRecord<K>; unknownFields: readonly string[] } | { id: string | null; problem: string })

interface SourceParts {
  store: TenantStore
  attachments: Pick<AttachmentStore, 'read'>
  callers?: WaitingCallers
}

/** The time after which the reading of lines lets other requests go first. */
const workMs = 2

/** The package of an integration, whose files are read as streams. */
export class PackageSource {
  readonly #parts: SourceParts
  readonly #integration: IntegrationRecord
  readonly manifest: PackageManifest

  private constructor(parts: SourceParts, integration: IntegrationRecord, manifest: PackageManifest) {
    this.#parts = parts
    this.#integration = integration
    this.manifest = manifest
  }

  /** Throws a `SourceFailure` when the manifest is not there. */
  static async open(parts: SourceParts, integration: IntegrationRecord): Promise<PackageSource> {
    const found = await readManifestOf(parts, integration)
    if (found === undefined) throw new SourceFailure('fatal', 'the package was removed')
    return new PackageSource(parts, integration, found.manifest)
  }

  /** The kinds that have files, in the order in which they are read. */
  get kinds(): PackageKind[] {
    return packageKinds.filter((kind) => this.manifest.files.some((file) => file.kind === kind))
  }

  /** Yields the lines of a kind behind a position. Blank lines are none. */
  async *lines<K extends PackageKind>(
    kind: K,
    from: PackagePosition | null = null,
  ): AsyncGenerator<PackageLine<K>> {
    const pauses = new Pauses(workMs, this.#parts.callers)
    for await (const line of this.#allLines(kind, from)) {
      yield line
      if (pauses.isDue()) await pauses.take()
    }
  }

  async *#allLines<K extends PackageKind>(
    kind: K,
    from: PackagePosition | null = null,
  ): AsyncGenerator<PackageLine<K>> {
    const files = this.manifest.files.filter((file) => file.kind === kind)
    const first = from === null ? 0 : files.findIndex(({ name }) => name === from.file)
    let row = from?.rows ?? 0
    for (const { name } of files.slice(Math.max(first, 0))) {
      const behind = name === from?.file ? from.byte : 0
      for await (const { text, end } of readPackageLines(await this.#open(name))) {
        if (end <= behind || text === '') continue
        row += 1
        const position = { file: name, byte: end, rows: row }
        const read =
          text === undefined ? { id: null, problem: 'has more than 1 MB' } : readPackageLine(kind, text)
        yield { row, position, ...read }
      }
    }
  }

  async #open(name: string): Promise<AsyncIterable<Uint8Array>> {
    const { store, attachments } = this.#parts
    const file = await findPackageFile(store, this.#integration, name)
    const bytes = file && (await attachments.read({ tenantId: store.tenantId, id: file.attachmentId }))
    if (bytes === undefined) throw new SourceFailure('fatal', `${name} of the package was removed`)
    return bytes
  }
}
