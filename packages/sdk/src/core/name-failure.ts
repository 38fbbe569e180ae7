import { CrmError } from './errors.ts'

/** The call that an error is about. */
export interface CallName {
  readonly method: string
  /** Without the query, which may hold personal data. */
  readonly path: string
}

/** V8 alone has it, and its options. */
type StackCapture = (holder: object, below: unknown) => void

/**
 * Returns the stack of the code that called a method of the client: after an `await` an error has only the frames of the
 * client itself. `below` is the function that the method has called.
 */
export function callerStack(below: unknown): string | undefined {
  const holder: { stack?: string } = {}
  const { captureStackTrace } = Error as { captureStackTrace?: StackCapture }
  captureStackTrace?.(holder, below)
  // The first line is a title, the second the client's own method.
  return holder.stack?.split('\n').slice(2).join('\n')
}

/** Waits for the work of a call; its error names the call and begins its stack at the caller's line. */
export async function named<T>(
  name: CallName,
  stack: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CrmError && error.method === undefined) {
      error.method = name.method
      error.path = name.path
      error.message = `${name.method} ${name.path}: ${error.message}`
      if (stack) error.stack = `${error.name}: ${error.message}\n${stack}`
    }
    throw error
  }
}
