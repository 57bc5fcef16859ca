import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The folder of this package, whether it is built or not. */
const packageFolder = join(import.meta.dirname, '..', '..')
const template = join(packageFolder, 'template')
const oldestNode = { js: '>=20.12', ts: '>=22.18' } as const

export type NewProject = {
  /** Is made if it is not there; must be empty. */
  readonly folder: string
  readonly language: 'js' | 'ts'
  /** The packed SDK, a `.tgz`. Default: this package is packed. */
  readonly sdk?: string | undefined
}

/**
 * Writes a project of an insight module that runs without this repository and without a registry:
 * the SDK lies in it as a file. Returns the names of its files.
 *
 * @throws TypeError if the folder is not empty, or there is no packed SDK
 */
export async function createProject({ folder, language, sdk }: NewProject): Promise<string[]> {
  const to = resolve(folder)
  await mkdir(to, { recursive: true })
  if ((await readdir(to)).length > 0) throw new TypeError(`${folder} is not empty`)
  const packed = await placeSdk(sdk, to)
  for (const name of await readdir(template)) {
    const text = await readFile(join(template, name), 'utf8')
    await writeFile(join(to, inLanguage(name, language)), inLanguage(text, language))
  }
  const manifest = JSON.stringify(makeManifest(basename(to), language, packed), null, 2)
  await writeFile(join(to, 'package.json'), `${manifest}\n`)
  await writeFile(join(to, '.gitignore'), 'node_modules/\n')
  return (await readdir(to)).sort()
}

/** The files of the template have no syntax but that of JavaScript. */
function inLanguage(text: string, language: NewProject['language']): string {
  return language === 'ts' ? text : text.replaceAll(/\b(module|module\.test|main)\.ts\b/g, '$1.js')
}

async function placeSdk(sdk: string | undefined, to: string): Promise<string> {
  if (sdk !== undefined) {
    if (!existsSync(sdk) || !sdk.endsWith('.tgz')) throw new TypeError(`${sdk} is no packed SDK`)
    await copyFile(sdk, join(to, basename(sdk)))
    return basename(sdk)
  }
  if (!existsSync(join(packageFolder, 'lib'))) {
    throw new TypeError('the SDK is not built here: npm run pack, and name its .tgz with --sdk')
  }
  const args = ['pack', packageFolder, '--json', '--ignore-scripts', '--pack-destination', to]
  const { stdout } = await run('npm', args, { cwd: to, shell: process.platform === 'win32' })
  const [packed] = JSON.parse(stdout) as { filename: string }[]
  return packed?.filename ?? ''
}

function makeManifest(name: string, language: NewProject['language'], packed: string): object {
  return {
    name: name.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-'),
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: oldestNode[language] },
    scripts: {
      start: `node main.${language}`,
      dev: `insight-sdk dev main.${language}`,
      check: 'insight-sdk check',
      test: 'node --test',
    },
    dependencies: { '@millrace/insight-sdk': `file:${packed}` },
  }
}
