const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  gif: 'image/gif',
  htm: 'text/html; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webm: 'video/webm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
  yml: 'application/yaml; charset=utf-8',
}

/** The content type of a file, by the end of its name. */
export function contentTypeFor(path: string): string {
  const [, end = ''] = /\.([A-Za-z0-9]+)$/.exec(path) ?? []
  const known = end.toLowerCase()
  return (Object.hasOwn(types, known) ? types[known] : undefined) ?? 'application/octet-stream'
}

/** False for what is compressed by itself. */
export function isCompressible(contentType: string): boolean {
  return /^text\/|json|xml|javascript|wasm|yaml|font\/ttf|x-icon/.test(contentType)
}
