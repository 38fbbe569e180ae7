import type { Log } from '../../src/ports/log.ts'

export const silentLog: Log = { info() {}, warn() {}, error() {} }
