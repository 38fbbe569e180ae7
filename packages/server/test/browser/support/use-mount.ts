import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { RunningService } from '../../support/start-service.ts'
import { useShared } from '../../support/use-shared.ts'

/** The service under a path of another app: `base` is its address there. */
export function useMount(running: RunningService): { base: string } {
  return useShared(
    async () => {
      const server = http
        .createServer(express().use('/support', running.service.router))
        .listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/support` }
    },
    async ({ server }) => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  )
}
