import { createProject } from '@millrace/insight-sdk/commands'
import { defineCommand } from '../../command.ts'
import { asUsage } from './usage.ts'

export const insightNew = defineCommand({
  options: {
    folder: { meaning: 'The folder, new or empty; also without --folder.', required: true },
    typescript: { meaning: 'Write TypeScript, for Node 22.18 or later.', flag: true },
    sdk: { meaning: 'The packed SDK (.tgz). Default: that of the command line itself.' },
  },
  operand: 'folder',
  example: 'npx millrace insight new scaling',
  routes: [],
  async run({ folder, typescript, sdk: given }, { input, out }) {
    const sdk = given === undefined ? undefined : input.path(given)
    const language = typescript ? 'ts' : 'js'
    const files = await asUsage(() => createProject({ folder: input.path(folder), language, sdk }))
    out.show({ folder, files }, () => [
      ...files.map((file) => `${folder}/${file}`),
      `cd ${folder}, npm install --offline, npm run dev`,
    ])
  },
})
