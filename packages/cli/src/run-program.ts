import { createProgram } from './program.ts'
import { isHelpOrVersion, reportError } from './report-error.ts'

/** Runs one command line; resolves to the exit code. */
export async function runProgram(args: readonly string[], version: string): Promise<number> {
  const program = createProgram(version)
  try {
    await program.parseAsync(helpLast(args), { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (isHelpOrVersion(error)) return 0
    const { json } = program.opts()
    return reportError(error, {
      isJson: json !== undefined,
      jsonFields: typeof json === 'string' ? json : undefined,
    })
  }
}

/** Turns `crm help keys create` into `crm keys create --help`, so that the command's module is loaded as usual. */
function helpLast(args: readonly string[]): string[] {
  return args[0] === 'help' ? [...args.slice(1), '--help'] : [...args]
}
