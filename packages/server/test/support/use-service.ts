import { type RunningService, startService } from './start-service.ts'
import { useShared } from './use-shared.ts'

/** One service for all tests of a file. */
export function useService(...settings: Parameters<typeof startService>): RunningService {
  return useShared(
    () => startService(...settings),
    (running) => running.stop(),
  )
}
