// Plain JavaScript without dependencies, as install.mjs is.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { installed, pinnedNode, root, run, tell } from './install.mjs'

/** Which sources the generated files of this checkout were made of, and their paths. */
const stamp = join(root, 'node_modules', '.cache', 'millrace-generated.json')
const sources = [
  'cli/src',
  'client/generate.ts',
  'console/app/api/documents',
  'dev/generate',
  'dev/generate.ts',
  'package-lock.json',
  'server/src',
]

/**
 * Writes the modules and pages that git does not have, unless they are those of the sources. Types,
 * which Node and the console's build drop, are made only by developers' packages.
 * @returns their paths.
 */
export async function generate() {
  const now = describeSources()
  const made = readStamp()
  if (isMade(made, now)) return made.files
  tell('Generating types, stubs and pages of reference ...')
  const printed = []
  const flags = now.types ? ['--types'] : []
  const code = await run(pinnedNode(), [join(root, 'dev', 'generate.ts'), ...flags], {
    cwd: root,
    onOutput: (data) => printed.push(data),
  })
  const text = Buffer.concat(printed).toString()
  if (code !== 0) throw new Error(`files could not be generated (${code}):\n${text}`)
  const files = text.trimEnd().split('\n')
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, JSON.stringify({ ...now, files }))
  return files
}

/** True if the generated files are those of the sources. */
export const isGenerated = () => isMade(readStamp(), describeSources())

function describeSources() {
  const hash = hashFiles(sources.flatMap((path) => listFiles(join(root, path))))
  return { hash, types: installed('all') }
}

function isMade(made, now) {
  if (made.hash !== now.hash || (now.types && !made.types)) return false
  return made.files.every((path) => existsSync(join(root, path)))
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8'))
  } catch {
    return {}
  }
}

function listFiles(path) {
  if (/\.test\.ts$|\/generated$/.test(path)) return []
  if (!path.includes('.', path.lastIndexOf('/'))) {
    return readdirSync(path).flatMap((name) => listFiles(join(path, name)))
  }
  return [path]
}

function hashFiles(files) {
  const hash = createHash('sha256')
  for (const file of files.sort()) {
    hash.update(`${relative(root, file)}\n`)
    hash.update(readFileSync(file))
  }
  return hash.digest('hex')
}

if (process.argv[1] === import.meta.filename) console.log((await generate()).join('\n'))
