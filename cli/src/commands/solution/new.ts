import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { defineCommand, UsageError } from '../../command.ts'

/** The folder of this package, whether it is built or not. */
const packageFolder = join(import.meta.dirname, '..', '..', '..')
const templates = ['connector', 'application', 'cloud', 'insight'] as const

export const solutionNew = defineCommand({
  options: {
    folder: { meaning: 'The folder, new or empty; also without --folder.', required: true },
    template: { meaning: `What it begins as: ${templates.join(', ')}.`, required: true },
  },
  operand: 'folder',
  example: 'npx millrace solution new sensors --template connector',
  routes: [],
  async run({ folder, template }, { input, out }) {
    const known = templates.find((name) => name === template)
    if (known === undefined) throw new UsageError(`--template is one of ${templates.join(', ')}`)
    const files = await writeTemplate(known, resolve(input.path(folder)), folder)
    out.show({ folder, template: known, files }, () => [
      ...files.map((file) => `${folder}/${file}`),
      `its tests: npx millrace solution test ${folder}`,
    ])
  },
})

/** @returns the files by their paths. @throws UsageError for a folder that is not empty. */
async function writeTemplate(template: string, to: string, shown: string): Promise<string[]> {
  const from = join(packageFolder, 'template', template)
  await mkdir(to, { recursive: true })
  if ((await readdir(to)).length > 0) throw new UsageError(`${shown} is not empty`)
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(from.length + 1))
    .sort()
  for (const path of paths) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await copyFile(join(from, path), join(to, path))
  }
  return paths
}
