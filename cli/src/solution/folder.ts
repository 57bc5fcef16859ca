import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { operations } from '@millrace/client'
import { UsageError } from '../command.ts'
import { parseYaml } from '../yaml.ts'
import { listFiles } from './files.ts'

/** A file of a folder as it is pushed. */
export type FolderFile =
  operations['pullSolution']['responses'][200]['content']['application/json']['files'][number]

const schemaFile = /^schema\.(?:json|ya?ml)$/
const dataFile = /\.(?:json|ya?ml)$/
const projectFile = /^murano\.(?:json|ya?ml)$/
const testFile = /_(?:test|spec)\.lua$/
/** No part of a path is hidden or goes up. */
const pulledFile =
  /^(?:[^./\\\p{Cc}][^/\\\p{Cc}]*\/)*[^./\\\p{Cc}][^/\\\p{Cc}]*\.(?:lua|json|ya?ml)$/u
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The scripts and services of a folder, as they are; files and folders that begin with a dot are
 * left out, and so are tests. Its murano.yaml may list their folders.
 */
export async function readFolder(dir: string): Promise<FolderFile[]> {
  const { paths } = await listFiles(dir, dir).catch(() => {
    throw new UsageError(`--dir ${dir} is no folder that can be read`)
  })
  const own = paths.find((path) => projectFile.test(path))
  const project = own === undefined ? undefined : await readOne(dir, own)
  const isData = dataFilter(project)
  const parts = paths.filter((path) => {
    if (path.endsWith('.lua')) return !testFile.test(path)
    return isData(path)
  })
  const files = await Promise.all(parts.map((path) => readOne(dir, path)))
  return project === undefined ? files : [...files, project]
}

/** The files of data that a project has: those of services, and the schema of its endpoints. */
function dataFilter(project: FolderFile | undefined): (path: string) => boolean {
  const fields = project === undefined ? {} : readFields(project)
  const [services, ...endpoints] = ['services', 'endpoints', 'routes'].map((part) => {
    const section = fields[part]
    const { location = part } = isObject(section) ? section : {}
    return `${String(location).replace(/^\.\//, '').replace(/\/$/, '')}/`
  })
  return (path) => {
    const folder = endpoints.find((one) => path.startsWith(one))
    if (folder !== undefined && schemaFile.test(path.slice(folder.length))) return true
    if (services === undefined || !path.startsWith(services) || !dataFile.test(path)) return false
    const [first = '', second, ...more] = path.slice(services.length).split('/')
    if (second === undefined) return true
    return more.length === 0 && second.replace(dataFile, '') === first
  }
}

/** The instance reports files that cannot be read, with all other problems. */
function readFields({ path, text }: FolderFile): Readonly<Record<string, unknown>> {
  try {
    const value = parseYamlFile(path, text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The configuration of a service in a folder of scripts, or in a file, with its `service`. */
export async function readServiceBody(
  where: { readonly dir: string } | { readonly file: string },
  service: string,
): Promise<Readonly<Record<string, unknown>>> {
  const files = 'dir' in where ? await readFolder(where.dir) : [await readOne('', where.file)]
  for (const { path, text } of files) {
    if ('dir' in where && (!dataFile.test(path) || projectFile.test(path))) continue
    const value = parseYamlFile(path, text)
    if (!isObject(value)) throw new Error(`${path} holds no object`)
    const { service: said = basename(path).replace(dataFile, ''), ...body } = value
    const isIt = 'file' in where || String(said).toLowerCase() === service
    if (isIt) return body
  }
  throw new UsageError(`the folder has no services/${service}.yaml`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function readOne(dir: string, path: string): Promise<FolderFile> {
  try {
    return { path, text: utf8.decode(await readFile(join(dir, path))) }
  } catch (error) {
    throw new Error(`${path} is no text in UTF-8`, { cause: error })
  }
}

function parseYamlFile(path: string, text: string): unknown {
  try {
    return parseYaml(text)
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
    if (path.endsWith('.lua') || !(await hasSame(dir, path, text))) {
      await writeFile(join(dir, path), text)
    }
  }
}

/** A file with the same content stays, with its comments, in either place of a service. */
async function hasSame(dir: string, path: string, text: string): Promise<boolean> {
  const stem = path.replace(dataFile, '')
  const names = [stem, `${stem}/${basename(stem)}`]
  const files = names.flatMap((name) => ['.yaml', '.yml', '.json'].map((end) => name + end))
  for (const file of files) {
    if (file === path || !existsSync(join(dir, file))) continue
    const has = await readOne(dir, file)
    if (isDeepStrictEqual(parseYamlFile(file, has.text), parseYamlFile(path, text))) return true
  }
  return false
}
