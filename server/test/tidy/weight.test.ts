import assert from 'node:assert/strict'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../../..')
const url = pathToFileURL(join(root, 'dev', 'install-packages.mjs')).href

type Lock = Readonly<Record<string, { readonly link?: boolean }>>
const { packagesFor, readLock, unusedFilesFor, workspacesOf } = (await import(url)) as {
  readonly packagesFor: (lock: Lock, workspaces: readonly string[]) => ReadonlySet<string>
  readonly readLock: (file: string) => Lock
  readonly unusedFilesFor: (path: string) => readonly RegExp[]
  readonly workspacesOf: { readonly run: readonly string[]; readonly build: readonly string[] }
}
const lock = readLock(join(root, 'package-lock.json'))
const toRun = packagesFor(lock, workspacesOf.run)
const toBuild = packagesFor(lock, workspacesOf.build)

/** What takes much room, and serves developers or the build of the console alone. */
const heavy = [
  ...['@biomejs/', '@graphql-codegen/', '@mantine/', '@redocly/', '@rolldown/', '@typescript/'],
  ...['axe-core', 'graphiql', 'knip', 'lightningcss-', 'mqtt', 'openapi-typescript', 'oxc-'],
  ...['playwright-core', 'react', 'react-dom', 'rolldown', 'twilio', 'typescript', 'vite'],
  ...['vega-', '@opentelemetry/sdk-', '@parse/'],
]

const packageName = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 13)
/** A name that ends in a slash or a hyphen stands for all that begin so. */
const matches = (name: string, one: string) =>
  /[/-]$/.test(one) ? name.startsWith(one) : name === one
const heavyAmong = (paths: ReadonlySet<string>, names = heavy) =>
  [...paths].filter((path) => names.some((one) => matches(packageName(path), one)))

/** Bytes on the disk of a package without those that it contains, as `du` counts them. */
function measureBytes(folder: string, unused: readonly RegExp[], within = ''): number {
  const entries = readdirSync(join(folder, within), { withFileTypes: true })
  return entries.reduce((sum, entry) => {
    const file = within === '' ? entry.name : `${within}/${entry.name}`
    if (entry.name === 'node_modules' || unused.some((one) => one.test(file))) return sum
    const { blocks } = lstatSync(join(folder, file))
    return sum + 512 * blocks + (entry.isDirectory() ? measureBytes(folder, unused, file) : 0)
  }, 0)
}

function measureMegabytes(paths: ReadonlySet<string>): number {
  const own = [...paths].filter((path) => lock[path]?.link !== true)
  const there = own.filter((path) => lstatSync(join(root, path), { throwIfNoEntry: false }))
  const bytes = there.reduce((sum, path) => {
    return sum + measureBytes(join(root, path), unusedFilesFor(packageName(path)))
  }, 0)
  return bytes / 1024 ** 2
}

test('nothing that only developers or the build of the console need is installed to run', () => {
  assert.deepEqual(heavyAmong(toRun), [])
  assert.ok(toRun.has('node_modules/fastify') && toRun.has('node_modules/openapi-fetch'))
})

test('a start builds the console without what checks and tests it', () => {
  const checks = ['@biomejs/', '@graphql-codegen/', 'knip', 'openapi-typescript', 'playwright-core']
  assert.deepEqual(heavyAmong(toBuild, checks), [])
  assert.ok(toBuild.has('node_modules/vite') && toBuild.has('node_modules/graphiql'))
})

test('what is installed to run takes at most 260 MB', () => {
  const megabytes = measureMegabytes(toRun)
  assert.ok(megabytes > 180 && megabytes <= 260, `${Math.round(megabytes)} MB`)
})
