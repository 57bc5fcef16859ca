import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contracts, describeApi } from '../server/src/api/management/index.ts'
import { generatedModules, generatedPages, printJson } from './generate/pages.ts'

/**
 * Writes what is made from the contracts and the schemas: modules, pages, with `--types` types, and
 * with `--openapi` docs/reference/openapi.json, which is the only one of them in git. Prints the
 * paths.
 */
const root = join(import.meta.dirname, '..')
const openApi = describeApi(contracts)

/** A file that has this text already keeps its time: the console is built again if one changes. */
function write(files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    process.stdout.write(`${path}\n`)
    const file = join(root, path)
    if (readIfThere(file) === text) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

write(generatedModules(openApi))
if (process.argv.includes('--types')) {
  const { generatedTypes } = await import('./generate/types.ts')
  write(await generatedTypes(openApi))
}
write(await generatedPages())
if (process.argv.includes('--openapi')) {
  write(new Map([['docs/reference/openapi.json', `${printJson(openApi)}\n`]]))
}
