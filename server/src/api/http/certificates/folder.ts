import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { PairFiles } from './pair.ts'

/**
 * The pairs of a folder, whatever their names say: `x.crt` or `x.pem` with `x.key`, `x.pem` with
 * both inside as HAProxy has it, and in folders `fullchain.pem` with `privkey.pem` or `tls.crt`
 * with `tls.key`, as certbot and Kubernetes have them. @throws Error if the folder cannot be read.
 */
export function pairsIn(folder: string): PairFiles[] {
  const found: PairFiles[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (isFolder(entry, path)) found.push(...namedPairs(path))
    else if (/\.(?:crt|pem)$/.test(entry.name)) {
      const key = path.replace(/\.(?:crt|pem)$/, '.key')
      if (existsSync(key)) found.push({ cert: path, key })
      else if (holdsBoth(path)) found.push({ cert: path, key: path })
    }
  }
  return [...found, ...namedPairs(folder).filter(({ cert }) => !cert.endsWith('tls.crt'))]
}

function namedPairs(folder: string): PairFiles[] {
  const usual = [
    ['fullchain.pem', 'privkey.pem'],
    ['tls.crt', 'tls.key'],
  ] as const
  return usual
    .map(([cert, key]) => ({ cert: join(folder, cert), key: join(folder, key) }))
    .filter(({ cert, key }) => existsSync(cert) && existsSync(key))
}

function holdsBoth(file: string): boolean {
  try {
    const text = readFileSync(file, 'utf8')
    return text.includes('-----BEGIN CERTIFICATE-----') && text.includes('PRIVATE KEY-----')
  } catch {
    // A link that leads nowhere: it is no pair as long as it does not.
    return false
  }
}

function isFolder(entry: Dirent, path: string): boolean {
  if (entry.isDirectory()) return true
  return entry.isSymbolicLink() && existsSync(path) && statSync(path).isDirectory()
}

/** Changes whenever a file is written, replaced, or reached by another link. */
export function readStamp({ cert, key }: PairFiles): string {
  return [cert, key]
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false, bigint: true })
      if (found === undefined) return 'missing'
      return `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`
    })
    .join(' ')
}
