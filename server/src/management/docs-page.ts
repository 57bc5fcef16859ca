import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { pageHeaders } from '../kernel/index.ts'

const path = '/api:1/docs'

/** Credentials of the browser are left out, so that a 401 opens no dialog of its own. */
const start = `addEventListener('DOMContentLoaded', () => {
  SwaggerUIBundle({
    url: '/api:1/openapi.json',
    dom_id: '#api',
    deepLinking: true,
    docExpansion: 'list',
    filter: true,
    validatorUrl: null,
    requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
  })
})
`

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Millrace management API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${path}/swagger-ui.css">
<script src="${path}/swagger-ui-bundle.js" defer></script>
<script src="${path}/start.js" defer></script>
<nav class="swagger-ui">
<p class="wrapper"><a class="link" href="/">Back to the console</a></p>
</nav>
<div id="api"></div>
<noscript>The document is at <a href="/api:1/openapi.json">/api:1/openapi.json</a>.</noscript>
</html>
`

const headers = pageHeaders({ stylesInPage: false })
const scriptType = 'text/javascript; charset=utf-8'
const files = {
  script: import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  styles: import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
}

/**
 * Serves the page that shows the API, with all that it loads: Swagger UI, read when it is first
 * asked for. The page needs no credential, as the document does not.
 */
export function addDocsPage(app: FastifyInstance): void {
  const viewer = new Map<string, Buffer>()
  const readOnce = async (file: string) => {
    const bytes = viewer.get(file) ?? (await readFile(fileURLToPath(file)))
    viewer.set(file, bytes)
    return bytes
  }
  const url = path.replace(':1', '::1')
  const get = (name: string, type: string, body: () => string | Promise<Buffer>) =>
    app.get(`${url}${name}`, async (_request, reply) => send(reply, type, await body()))

  get('', 'text/html; charset=utf-8', () => page)
  get('/start.js', scriptType, () => start)
  get('/swagger-ui-bundle.js', scriptType, () => readOnce(files.script))
  get('/swagger-ui.css', 'text/css; charset=utf-8', () => readOnce(files.styles))
}

function send(reply: FastifyReply, type: string, body: string | Buffer): FastifyReply {
  return reply
    .headers(headers)
    .header('cache-control', 'no-cache')
    .header('content-type', type)
    .send(body)
}
