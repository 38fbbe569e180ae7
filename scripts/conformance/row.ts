/** A test by its file and its title. */
export interface Proof {
  readonly file: string
  readonly title: string
}

/** One thing that the specification demands. */
export interface Row {
  /** Stays when the text changes. */
  readonly id: string
  /** In our own words. */
  readonly text: string
  /** None: not served yet. */
  readonly proofs: readonly Proof[]
}

export interface Table {
  readonly title: string
  readonly rows: readonly Row[]
}

/** Names tests of one file by their titles; a title that is made of several cases is named as it is written. */
export function testsOf(file: string): (...titles: string[]) => Proof[] {
  return (...titles) => titles.map((title) => ({ file, title }))
}

export function row(id: string, text: string, ...proofs: readonly (readonly Proof[])[]): Row {
  return { id, text, proofs: proofs.flat() }
}
