import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { pageHeaders } from '../../../foundation/kernel/index.ts'

const path = '/api:1/docs'

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Millrace management API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${path}/swagger-ui.css">
<link rel="stylesheet" href="${path}/page.css">
<script src="${path}/page.js" defer></script>
<script src="${path}/swagger-ui-bundle.js" defer></script>
<header class="frame">
<nav aria-label="Console"><a href="/">Back to the console</a></nav>
<h1>Millrace management API</h1>
<p>Each operation can be tried, and what it does happens for real. Programs read
<a href="/api:1/openapi.json">the OpenAPI document</a>.</p>
</header>
<section class="frame" aria-labelledby="who-title">
<h2 id="who-title">Who makes the requests</h2>
<p id="who" role="status"></p>
<form id="token-form" class="row" autocomplete="off">
<label>Use an API token (kept until the page is closed)
<input id="token" type="password" autocomplete="off" required></label>
<button>Use the token</button>
<button id="forget" type="button" hidden>Forget the token</button>
</form>
</section>
<main>
<div class="frame">
<h2>Operations</h2>
<div class="row"><label>Search by topic, text, path or permission
<input id="search" type="search" autocomplete="off"></label></div>
</div>
<div id="api"></div>
</main>
<dialog id="confirm" aria-labelledby="confirm-title">
<h2 id="confirm-title">Send this request?</h2>
<p>It may change something: <code id="change"></code></p>
<p id="as"></p>
<form method="dialog" class="row">
<button value="" autofocus>Cancel</button>
<button value="send">Send</button>
</form>
</dialog>
<noscript>The document is at <a href="/api:1/openapi.json">/api:1/openapi.json</a>.</noscript>
</html>
`

const headers = pageHeaders({ stylesInPage: false })
const stylesType = 'text/css; charset=utf-8'
const scriptType = 'text/javascript; charset=utf-8'
const files = {
  page: new URL('page.js', import.meta.url).href,
  pageStyles: new URL('page.css', import.meta.url).href,
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
  get('/page.js', scriptType, () => readOnce(files.page))
  get('/swagger-ui-bundle.js', scriptType, () => readOnce(files.script))
  get('/swagger-ui.css', stylesType, () => readOnce(files.styles))
  get('/page.css', stylesType, () => readOnce(files.pageStyles))
}

function send(reply: FastifyReply, type: string, body: string | Buffer): FastifyReply {
  return reply
    .headers(headers)
    .header('cache-control', 'no-cache')
    .header('content-type', type)
    .send(body)
}
