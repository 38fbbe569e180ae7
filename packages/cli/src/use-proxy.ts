import * as http from 'node:http'

/** Missing before Node 24.14: there `NODE_USE_ENV_PROXY=1` does the same. */
const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: () => unknown }

/** Sends all requests through the proxy of `HTTPS_PROXY` or `HTTP_PROXY`, except to the hosts of `NO_PROXY`. */
export function useProxy(): void {
  setGlobalProxyFromEnv?.()
}
