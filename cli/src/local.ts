import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The commands that run beside the instance; they come with the server. */
export const localCommands = {
  start: { summary: 'Run the platform with its demo, as npm start does.' },
  serve: { summary: 'Run the platform without a demo, until Ctrl-C.' },
  config: { summary: 'Print every setting with its value and its meaning.' },
  migrate: { summary: 'Bring the tables of the database up to this version.' },
} as const

const server = join(import.meta.dirname, '..', '..', 'server', 'src', 'cli', 'index.ts')

type Local = { runCommand(args: readonly string[]): Promise<number> }

/** The commands of the server, where it is installed beside this package. */
export async function serverCommands(): Promise<Local | undefined> {
  if (!existsSync(server)) return undefined
  return (await import(pathToFileURL(server).href)) as Local
}
