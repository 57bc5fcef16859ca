import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Line } from './round.ts'

/** A local page that shows the calls of the latest round. */
export type Page = {
  readonly url: string
  show(lines: readonly Line[]): void
  close(): void
}

const html = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>insight dev</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: .25rem 1.5rem .25rem 0; border-bottom: 1px solid #ccc; }
td { font-family: ui-monospace, monospace; }
.error { color: #b00020; }
</style>
<h1>Calls of the latest round</h1>
<table><thead><tr><th>Function</th><th>Inputs</th><th>Outputs</th></tr></thead>
<tbody id="lines"></tbody></table>
<script>
const body = document.getElementById('lines')
async function show() {
  const lines = await (await fetch('/lines')).json()
  body.replaceChildren(...lines.map((line) => {
    const row = document.createElement('tr')
    for (const key of ['function', 'input', 'output']) {
      const cell = row.insertCell()
      cell.textContent = line[key]
      if (line[key].startsWith('error ')) cell.className = 'error'
    }
    return row
  }))
}
show()
setInterval(() => show().catch(() => {}), 1000)
</script></html>
`

/** Serves the page on a port of this machine. Rejects if the port is taken. */
export async function servePage(port: number): Promise<Page> {
  let lines: readonly Line[] = []
  const server = createServer((request, response) => {
    // A page of another site that names this address gets nothing.
    const isOwn = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')
    const isLines = request.url === '/lines'
    response.writeHead(isOwn ? 200 : 403, {
      'content-type': isLines ? 'application/json' : 'text/html; charset=utf-8',
    })
    response.end(isOwn ? (isLines ? JSON.stringify(lines) : html) : '')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show(shown) {
      lines = shown
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
