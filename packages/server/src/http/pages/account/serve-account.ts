import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { notFound } from '@crmkit/core'
import express, { type Router } from 'express'
import { sendInPieces } from '../../backpressure/pieces.ts'
import { type PageParts, pageHeaders, servePage } from '../serve-page.ts'

const prefix = '/account'
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

interface PageFile {
  type: string
  bytes: Buffer
}

function fileOf(file: string): PageFile {
  const extension = file.slice(file.lastIndexOf('.') + 1)
  return { type: types[extension] ?? '', bytes: readFileSync(new URL(`./${file}`, import.meta.url)) }
}

/**
 * The pages that the links of system mail lead to. They are static: the token is in the fragment of the address, which
 * a browser sends to no server, so it is in no log.
 */
export function createAccountPages(parts: PageParts): Router {
  // Read once and shared by all replies; no name of a request ever becomes part of a path.
  const files: Readonly<Record<string, PageFile>> = {
    reset: fileOf('reset.html'),
    invite: fileOf('invite.html'),
    'account.css': fileOf('account.css'),
    'account.js': fileOf('account.js'),
  }
  const router = express.Router({ strict: true })
  router.all(
    `${prefix}/{*file}`,
    servePage(parts, {
      path: `${prefix}/`,
      respond: async (req, res) => {
        const name = nameOf(req)
        const file = Object.hasOwn(files, name) ? files[name] : undefined
        if (file === undefined) throw notFound()
        const { type, bytes } = file
        res.writeHead(200, { ...pageHeaders, 'Content-Type': type, 'Content-Length': bytes.length })
        await sendInPieces(res, bytes)
      },
    }),
  )
  return router
}

function nameOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1)
  return path.slice(prefix.length + 1)
}
