import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { operations } from '@millrace/client'
import { parse, stringify } from 'yaml'
import { UsageError } from '../command.ts'

/** A file of a folder as it is pushed. */
export type FolderFile =
  operations['pullSolution']['responses'][200]['content']['application/json']['files'][number]

const yamlFile = /\.(?:json|ya?ml)$/
const testFile = /_(?:test|spec)\.lua$/
/** No part of a path is hidden or goes up. */
const pulledFile = /^(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*\.(?:lua|json)$/
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** `written`: its name in its author's folder, where it is pushed under another one. */
export type OwnFile = FolderFile & { readonly written?: string }

/** A message about pushed files, with their names in the author's folder. */
export function asWritten(text: string, files: readonly OwnFile[]): string {
  return files.reduce((said, { path, written }) => {
    return written === undefined ? said : said.replaceAll(path, written)
  }, text)
}

/**
 * The scripts and services of a folder; files and folders that begin with a dot are left out, and
 * so are tests. Its murano.yaml may list their folders.
 */
export async function readFolder(dir: string): Promise<OwnFile[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => {
    throw new UsageError(`--dir ${dir} is no folder that can be read`)
  })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(dir, sep).length))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !/(?:^|\/)\./.test(path))
    .sort()
  const own = paths.find((path) => /^murano\.(?:json|ya?ml)$/.test(path))
  const project = own === undefined ? undefined : await readOne(dir, own)
  const isService = serviceFilter(project)
  const parts = paths.filter((path) => {
    if (path.endsWith('.lua')) return !testFile.test(path)
    return isService(path)
  })
  const files = await Promise.all(parts.map((path) => readOne(dir, path)))
  return project === undefined ? files : [...files, project]
}

/** The files that configure services: in the services' folder, or in a folder of their name. */
function serviceFilter(project: FolderFile | undefined): (path: string) => boolean {
  const { services } = (project === undefined ? {} : JSON.parse(project.text)) ?? {}
  const location = String(services?.location ?? 'services').replace(/^\.\//, '')
  const within = `${location.replace(/\/$/, '')}/`
  return (path) => {
    if (!path.startsWith(within) || !yamlFile.test(path)) return false
    const [first = '', second, ...more] = path.slice(within.length).split('/')
    if (second === undefined) return true
    return more.length === 0 && second.replace(yamlFile, '') === first
  }
}

/** The configuration of a service in a folder of scripts, or in a file, with its `service`. */
export async function readServiceBody(
  where: { readonly dir: string } | { readonly file: string },
  service: string,
): Promise<Readonly<Record<string, unknown>>> {
  const files = 'dir' in where ? await readFolder(where.dir) : [await readOne('', where.file)]
  for (const { path, text, written = path } of files) {
    if ('dir' in where && !path.endsWith('.json')) continue
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) throw new Error(`${written} holds no object`)
    const { service: said = basename(path, '.json'), ...body } = value
    const isIt = 'file' in where || String(said).toLowerCase() === service
    if (isIt) return body
  }
  throw new UsageError(`the folder has no services/${service}.yaml`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function readOne(dir: string, path: string): Promise<OwnFile> {
  let text: string
  try {
    text = utf8.decode(await readFile(join(dir, path)))
  } catch (error) {
    throw new Error(`${path} is no text in UTF-8`, { cause: error })
  }
  if (!/\.ya?ml$/.test(path)) return { path, text }
  const json = JSON.stringify(yamlOf(path, text))
  return { path: path.replace(/\.ya?ml$/, '.json'), text: json, written: path }
}

function yamlOf(path: string, text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 })
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error })
  }
}

/** Writes files into a folder; others that lie there stay. */
export async function writeFolder(dir: string, files: readonly FolderFile[]): Promise<void> {
  for (const { path, text } of files) {
    // The paths of the instance are not trusted to stay in the folder.
    if (!pulledFile.test(path)) {
      throw new Error(`${JSON.stringify(path)} is no name of a script's file`)
    }
    await mkdir(dirname(join(dir, path)), { recursive: true })
    if (path.endsWith('.json')) await writeYaml(dir, path, text)
    else await writeFile(join(dir, path), text)
  }
}

/** A file with the same content stays, with its comments. */
async function writeYaml(dir: string, path: string, json: string): Promise<void> {
  const stem = path.replace(/\.json$/, '')
  const names = [stem, `${stem}/${basename(stem)}`]
  const files = names.flatMap((name) => ['.yaml', '.yml', '.json'].map((end) => name + end))
  for (const file of files) {
    if (!existsSync(join(dir, file))) continue
    const { text } = await readOne(dir, file)
    if (isDeepStrictEqual(JSON.parse(text), JSON.parse(json))) return
    await writeFile(join(dir, file), file.endsWith('.json') ? json : stringify(JSON.parse(json)))
    return
  }
  await writeFile(join(dir, `${stem}.yaml`), stringify(JSON.parse(json)))
}
