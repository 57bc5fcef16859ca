import { readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { visitorsCluster } from './client.ts'
import { readCommand } from './processes.ts'

/**
 * Ends the engine of a data directory without waiting, for a process that exits at once: its owner
 * ends it whoever is connected, which loses nothing that was committed. An engine that was started
 * for visitors ends with the last of them, and takes no other. Any other engine is left alone.
 * @returns the id of the server that was signalled.
 */
export function endEngineNow(dataDir: string): number | undefined {
  try {
    const folder = realpathSync(resolve(dataDir))
    const pid = Number.parseInt(
      readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'),
      10,
    )
    const command = pid > 0 ? readCommand(pid, realpathSync(join(folder, 'postgres'))) : undefined
    if (command === undefined) return undefined
    const owner = readOwner(join(folder, 'engine.owner'))
    if (owner === process.pid) process.kill(pid, 'SIGQUIT')
    else if (owner === undefined && command.includes(visitorsCluster)) process.kill(pid, 'SIGTERM')
    else return undefined
    return pid
  } catch {
    // There is none, or it has just ended.
    return undefined
  }
}

function readOwner(file: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid
  } catch {
    return undefined
  }
}
