import { watchNumber } from './watched-number.ts'

/**
 * Shifts the wall clock of the thread. Timers continue as before, as they do when an operator or a time server sets a
 * machine's clock.
 */
export function shiftClock(file: string): void {
  const RealDate = Date
  const realNow = Date.now
  let aheadMs = 0
  const now = () => realNow() + aheadMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
  watchNumber(file, (ms) => {
    aheadMs = ms
  })
}
