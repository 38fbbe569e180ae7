import { useEffect, useRef, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'

interface Fresh<T> {
  /** Undefined: nothing is read yet. */
  readonly value: T | undefined
  readonly problem: Problem | undefined
  read(): void
}

/** Reads for each key, and again when the person comes back to this window: another one may have changed it. */
export function useFresh<T>(load: () => Promise<T>, key = ''): Fresh<T> {
  const [found, setFound] = useState<{ key: string; value: T }>()
  const [problem, setProblem] = useState<Problem>()
  const asked = useRef(0)
  const latest = useRef(load)
  latest.current = load
  const read = () => {
    asked.current += 1
    const own = asked.current
    const isNewest = () => own === asked.current
    latest.current().then(
      (value) => {
        if (!isNewest()) return
        setProblem(undefined)
        setFound({ key, value })
      },
      (error) => isNewest() && setProblem(problemOf(error)),
    )
  }
  useEffect(() => {
    read()
    window.addEventListener('focus', read)
    return () => window.removeEventListener('focus', read)
  }, [key])
  return { value: found?.key === key ? found.value : undefined, problem, read }
}
