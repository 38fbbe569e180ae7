import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeCertificate } from '../../../test/support/https-receiver.ts'
import { startChild } from '../child.ts'
import type { Pair } from './measure.ts'
import type { Receiver } from './operation.ts'
import { type Database, type Form, type Service, startService } from './service.ts'
import type { Tree } from './tree.ts'

/** Two trees whose services run at the same time, each started at its first use. */
export interface Comparison {
  folder: string
  receiver: Receiver
  servicesOf(form: Form): Promise<Pair<Service>>
  end(): Promise<void>
}

interface Compared {
  trees: Pair<Tree>
  database: Database
}

function countAt(url: string, ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { ca }, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => {
        text += part
      })
      response.once('end', () => resolve(Number(text)))
    })
      .once('error', reject)
      .end()
  })
}

export async function openComparison({ trees, database }: Compared): Promise<Comparison> {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-bench-'))
  const certificate = await makeCertificate()
  const [keyFile, certFile] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  writeFileSync(keyFile, certificate.key)
  writeFileSync(certFile, certificate.cert)
  const program = fileURLToPath(new URL('../counting-receiver.ts', import.meta.url))
  const receiver = await startChild(program, [keyFile, certFile])
  const stops: (() => Promise<unknown>)[] = [() => receiver.stop()]
  const services = new Map<Form, Pair<Service>>()

  async function start(side: keyof Pair<Tree>, form: Form): Promise<Service> {
    const own = path.join(folder, side)
    mkdirSync(own, { recursive: true })
    const settings = { form, database, folder: own, caFile: certificate.caFile }
    const service = await startService(trees[side], settings)
    stops.push(() => service.stop())
    return service
  }

  return {
    folder,
    receiver: { url: receiver.url, count: () => countAt(receiver.url, certificate.cert) },
    async servicesOf(form) {
      const known = services.get(form)
      if (known) return known
      const started = { ref: await start('ref', form), this: await start('this', form) }
      services.set(form, started)
      return started
    },
    async end() {
      for (const stop of stops.reverse()) await stop()
      certificate.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
