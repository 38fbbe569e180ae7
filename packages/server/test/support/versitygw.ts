import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AwsClient } from 'aws4fetch'
import type { ObjectPlace } from '../../src/adapters/object-store/object-client.ts'
import { findLastingPort } from './free-port.ts'

/** An object store that others have written, and that checks every signature and checksum, on a folder of its own. */
export interface Versitygw {
  readonly port: number
  /** The place of a folder in a new bucket. */
  makeBucket(options?: { hasVersions?: boolean }): Promise<ObjectPlace>
  /** Sends a signed request past the code under test, and returns the body of its success. */
  ask(path: string, init?: RequestInit): Promise<string>
  /** Ends it, and leaves the objects. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

const [accessKeyId, secretAccessKey, region] = ['AKIDOFTESTS', 'a secret/of+tests', 'eu-test-1']

/** The program that `CRM_TEST_VERSITYGW` names. */
export async function startVersitygw(): Promise<Versitygw> {
  const program = process.env['CRM_TEST_VERSITYGW']
  if (!program) throw new Error('CRM_TEST_VERSITYGW must name the program')
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-versitygw-'))
  const [objects, versions] = [path.join(folder, 'objects'), path.join(folder, 'versions')]
  for (const each of [objects, versions]) mkdirSync(each)
  const port = await findLastingPort()
  const address = `http://127.0.0.1:${port}`
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  let child: ChildProcess | undefined
  let buckets = 0

  async function start(): Promise<void> {
    const ofStore = ['--access', accessKeyId, '--secret', secretAccessKey, '--region', region, '--quiet']
    const ofFolder = ['posix', '--versioning-dir', versions, objects]
    child = spawn(program ?? '', ['--port', `127.0.0.1:${port}`, ...ofStore, ...ofFolder], {
      stdio: 'ignore',
    })
    while (!(await isServing(address)))
      if (child.exitCode !== null) throw new Error(`versitygw ended with ${child.exitCode}`)
  }
  async function kill(): Promise<void> {
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    child = undefined
  }
  async function ask(place: string, init: RequestInit = {}): Promise<string> {
    const response = await client.fetch(`${address}/${place}`, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return text
  }
  await start()
  return {
    port,
    ask,
    async makeBucket({ hasVersions = false } = {}) {
      const bucket = `bucket-${++buckets}`
      await ask(bucket, { method: 'PUT' })
      const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
      if (hasVersions) await ask(`${bucket}?versioning=`, { method: 'PUT', body })
      const query = new URLSearchParams({ endpoint: address, region })
      return { address: `s3://${bucket}/of/tests?${query}`, key: `${accessKeyId}:${secretAccessKey}` }
    },
    kill,
    start,
    async stop() {
      await kill()
      rmSync(folder, { recursive: true })
    },
  }
}

async function isServing(address: string): Promise<boolean> {
  return fetch(address).then(
    (response) => response.text().then(() => true),
    () => false,
  )
}

/** Stands before a store, and refuses requests as one that has too many of them. */
export async function startSlowStore(target: number) {
  let refusals = 0
  const server = createServer((incoming, outgoing) => {
    if (refusals > 0) {
      refusals -= 1
      incoming.resume()
      outgoing.writeHead(503).end('<?xml version="1.0"?>\n<Error><Code>SlowDown</Code></Error>')
      return
    }
    const { method, url, headers } = incoming
    const onward = request({ host: '127.0.0.1', port: target, method, path: url, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    /** The next requests are refused. */
    refuse(times: number) {
      refusals = times
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
