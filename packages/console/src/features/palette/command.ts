/** One thing that a person can do on the current screen. */
export interface Command {
  readonly id: string
  readonly text: string
  /** As people read it: `g m`. Undefined: in the palette alone. */
  readonly key?: string | undefined
  run(): void
}
