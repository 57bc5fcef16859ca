import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCommand } from '../../command.ts'
import { luaStubs } from '../../generated/lua-stubs.ts'

/** Hidden, so that `solution push` leaves it out. */
const stubsFolder = '.luals'
const settingsFile = '.luarc.json'
const settings = { 'runtime.version': 'Lua 5.1', 'workspace.library': [stubsFolder] }

export const solutionStubs = defineCommand({
  options: {
    dir: { meaning: "The solution's folder.", default: '.' },
  },
  example: 'npx millrace solution stubs --dir .',
  routes: [],
  async run({ dir }, { input, out }) {
    const file = join(dir, stubsFolder, 'millrace.lua')
    await mkdir(input.path(join(dir, stubsFolder)), { recursive: true })
    await writeFile(input.path(file), luaStubs)
    const ownSettings = join(dir, settingsFile)
    const hasSettings = await access(input.path(ownSettings)).then(
      () => true,
      () => false,
    )
    if (!hasSettings)
      await writeFile(input.path(ownSettings), `${JSON.stringify(settings, null, 2)}\n`)
    const written = hasSettings ? [file] : [file, ownSettings]
    out.show({ files: written }, () => written.map((path) => `wrote ${path}`))
    if (hasSettings) out.note(`${ownSettings} is kept: its workspace.library needs ${stubsFolder}`)
  },
})
