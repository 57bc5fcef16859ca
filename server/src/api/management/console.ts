import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Logger, matchesTag, pageHeaders } from '../../foundation/kernel/index.ts'
import { nowhere, type Refuse } from './errors.ts'

/** The least size of a file of the console that is sent compressed. */
const consoleCompressedBytesMin = 1024
/** One file of the console's build. */
const consoleFileBytesMax = 8 * 1024 * 1024
/** Files of the console's build that are served. */
const consoleFilesMax = 1_000

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/** The component library writes its variables into the page. */
const headers = pageHeaders({ stylesInPage: true })

type File = {
  readonly type: string
  readonly bytes: Buffer
  readonly etag: string
  readonly caching: string
  /** Its bytes in each encoding, made when a browser first asks for it. */
  readonly encoded: Map<Encoding, Promise<Buffer>>
}

type Encoding = 'br' | 'gzip'

/** Level 9 of brotli is within 5 % of the best, in a tenth of its time. */
const compress: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}
const compressedTypes = /^(?:text\/|image\/svg|application\/json)/

type ConsoleOptions = { readonly dir: string; readonly logger: Logger; readonly refuse: Refuse }

const notBuilt = 'The console has not been built. `npm run build -w console` builds it.\n'

/** Answers what no route does: files of the build by their exact names, else a 404. */
export async function addConsole(
  app: FastifyInstance,
  { dir, logger, refuse }: ConsoleOptions,
): Promise<void> {
  const files = await readBuild(dir, logger)
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const file = reads ? fileAt(files, path, request.headers.accept) : undefined
    if (file !== undefined) return sendFile(request, reply, file)
    if (reads && path === '/') return sendNotBuilt(reply)
    return refuse(nowhere(request.url), reply)
  })
}

/**
 * A page of the console may be opened by its address, which may end in the name of a device as
 * `pump.7`: the script in index.html knows which. Scripts and styles accept no HTML.
 */
function fileAt(files: ReadonlyMap<string, File>, path: string, accept = ''): File | undefined {
  const file = files.get(path === '/' ? '/index.html' : path)
  if (file !== undefined) return file
  const isGone = path.startsWith('/assets/') && contentTypes[extname(path)] !== undefined
  const isPage = accept.includes('text/html') && !isGone
  return isPage && !/^\/api(?:[:/]|%3a|$)/i.test(path) ? files.get('/index.html') : undefined
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: File,
): Promise<FastifyReply> {
  reply.headers(headers).header('etag', file.etag).header('cache-control', file.caching)
  reply.header('vary', 'accept-encoding')
  if (matchesTag(request.headers['if-none-match'], [file.etag])) return reply.code(304).send()
  reply.code(200).header('content-type', file.type)
  const encoding = chooseEncoding(file, request.headers['accept-encoding'])
  if (encoding === undefined) return reply.send(file.bytes)
  const made = file.encoded.get(encoding) ?? compress[encoding](file.bytes)
  file.encoded.set(encoding, made)
  return reply.header('content-encoding', encoding).send(await made)
}

/** The best encoding that the browser accepts; none for what would not shrink. */
function chooseEncoding({ type, bytes }: File, accepted: string | undefined): Encoding | undefined {
  if (!compressedTypes.test(type) || bytes.length < consoleCompressedBytesMin) return undefined
  const names = (accepted ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => !/;\s*q=0(?:\.0*)?$/.test(one))
    .map((one) => one.split(';', 1)[0])
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding))
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .header('content-type', 'text/plain; charset=utf-8')
    .send(notBuilt)
}

/** The files of a build by the path of their address. Links and unknown kinds are left out. */
async function readBuild(dir: string, logger: Logger): Promise<ReadonlyMap<string, File>> {
  const names = await listBuild(dir)
  const files = new Map<string, File>()
  for (const name of names) {
    const type = contentTypes[extname(name)]
    if (type === undefined || files.size >= consoleFilesMax) {
      logger.warn({ name }, "a file of the console's build is not served")
      continue
    }
    const { size } = await stat(join(dir, name))
    if (size > consoleFileBytesMax) throw new Error(`${name} of the console is too large`)
    files.set(
      `/${name.split(sep).join('/')}`,
      makeFile(name, type, await readFile(join(dir, name))),
    )
  }
  return files
}

async function listBuild(dir: string): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(dir, options).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .sort()
}

/** The build puts a hash into the names under assets/: what is there never changes. */
function makeFile(name: string, type: string, bytes: Buffer): File {
  const hashed = name.startsWith(`assets${sep}`)
  return {
    type,
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    caching: hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    encoded: new Map(),
  }
}
