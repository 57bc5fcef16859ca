import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { pageHeaders } from '../../../foundation/kernel/index.ts'
import { firstAccountPath } from '../../../people/accounts/index.ts'

const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' } as const
type Kind = keyof typeof types

const here = (name: string) => new URL(name, import.meta.url).href

/** Each address with what it serves. */
const files: readonly (readonly [path: string, kind: Kind, file: string])[] = [
  ['/api::1/docs', 'html', here('docs.html')],
  ['/api::1/docs/page.js', 'js', here('docs.js')],
  ['/api::1/docs/page.css', 'css', here('docs.css')],
  [
    '/api::1/docs/swagger-ui-bundle.js',
    'js',
    import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  ],
  ['/api::1/docs/swagger-ui.css', 'css', import.meta.resolve('swagger-ui-dist/swagger-ui.css')],
  [firstAccountPath, 'html', here('first-account.html')],
  [`${firstAccountPath}/script.js`, 'js', here('first-account.js')],
  [`${firstAccountPath}/styles.css`, 'css', here('first-account.css')],
]

const headers = pageHeaders({ stylesInPage: false })

/**
 * Serves the page that shows the API, by Swagger UI, and the form for the first account. Neither
 * needs a credential: the document of the API is public, and the code of the form is in its
 * address. A file is read when it is first asked for.
 */
export function addPages(app: FastifyInstance): void {
  for (const [path, kind, file] of files) {
    const caching = path.startsWith(firstAccountPath) ? 'no-store' : 'no-cache'
    let bytes: Buffer | undefined
    app.get(path, async (_request, reply) => {
      bytes ??= await readFile(fileURLToPath(file))
      return reply
        .headers(headers)
        .header('cache-control', caching)
        .header('content-type', `${types[kind]}; charset=utf-8`)
        .send(bytes)
    })
  }
}
