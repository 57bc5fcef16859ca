import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Programs that are measured beside us. `npm run bench:peers` installs them into a folder of their
 * own, so that neither the product nor its tests have them.
 */
const folder = join(import.meta.dirname, '..', '..', 'peers')

export function isInstalled(name: string): boolean {
  return existsSync(join(folder, 'node_modules', name, 'package.json'))
}

/** The sentence that stands in the place of a figure. */
export function notInstalled(title: string): string {
  return `${title} is not installed: npm run bench:peers`
}

/** Loads a module of the folder, for the process that runs it. */
export const requirePeer = createRequire(join(folder, 'package.json'))
