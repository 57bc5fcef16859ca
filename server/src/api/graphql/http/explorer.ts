import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pageHeaders } from '../../../foundation/kernel/index.ts'

/** A page of the console's build, which serves what it loads. */
const file = join(import.meta.dirname, '../../../../../console/dist/graphiql.html')

const notBuilt = 'GraphiQL has not been built. `npm run build -w console` builds it.\n'
const headers = Object.assign(pageHeaders({ stylesInPage: true }), { 'cache-control': 'no-cache' })

/** Returns whether a browser opens the address, as a page. */
export function wantsPage({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && accept.includes('text/html')
}

/** Sends GraphiQL. The page needs no credential; what it asks does. */
export async function sendPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const page = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (page === undefined) {
    response.writeHead(503, { ...headers, 'content-type': 'text/plain; charset=utf-8' })
    response.end(notBuilt)
    return
  }
  const etag = `"${createHash('sha256').update(page).digest('base64url')}"`
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, { ...headers, etag })
    response.end()
    return
  }
  const described = { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length }
  response.writeHead(200, { ...headers, ...described, etag })
  response.end(page)
}
