import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { type Logger, limits } from '../../kernel/index.ts'
import { writeAccess } from './access.ts'
import type { Server } from './client.ts'
import { readPidFile } from './find.ts'
import { directoryArgument, type Place } from './place.ts'
import { poll, worksOn } from './processes.ts'
import { program, unusable } from './runtime.ts'
import { settings } from './settings.ts'
import { makeSocketDirectory, removeSocketDirectory } from './socket.ts'
import { asUser } from './user.ts'

/** The time for the embedded engine to write everything when it ends. */
const engineStopMsMax = 60_000
/** The size of the embedded engine's log past which a start sets it aside. */
const engineLogBytesMax = 16 * 1024 * 1024

/**
 * Starts the server and waits until it takes connections. It has a session of its own, so that
 * Ctrl-C in a terminal ends the platform first and the platform ends it, and it keeps no Node
 * alive.
 * @param wanted the directory of its socket, where it shall be as before.
 * @throws Error with the end of the server's log where it does not come up.
 */
export async function launch(
  place: Place,
  runtime: string,
  { owner, logger }: { readonly owner: boolean; readonly logger: Logger },
  wanted?: string,
): Promise<Server> {
  const { socketDir, argument } = await makeSocketDirectory(place, wanted)
  const access = await writeAccess(place)
  const log = await openLog(place.log)
  try {
    const from = (await log.stat()).size
    const child = spawn(
      program(runtime, 'postgres'),
      ['-D', directoryArgument(place, place.cluster), ...settings(argument, owner, access)],
      {
        cwd: place.cluster,
        detached: true,
        env: { LC_ALL: 'C', TZ: 'UTC' },
        stdio: ['ignore', log.fd, log.fd],
        ...asUser(place.user),
      },
    )
    child.unref()
    const ready = await Promise.race([comesUp(place, child), goesDown(child)])
    if (!ready) throw new Error(await complaint(place, log, from))
    logger.info({ pid: child.pid, socketDir }, 'the embedded PostgreSQL is running')
    return { pid: child.pid ?? 0, socketDir }
  } finally {
    await log.close()
  }
}

async function comesUp(place: Place, child: ChildProcess): Promise<boolean> {
  const seen = await poll(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return false
    const file = await readPidFile(place.cluster)
    return file?.pid === child.pid && file?.ready ? true : undefined
  }, limits.engineStartMsMax)
  return seen ?? false
}

async function goesDown(child: ChildProcess): Promise<false> {
  // `once` rejects with the child's 'error': the program could not be run at all.
  await once(child, 'exit').catch((error: Error) => {
    throw unusable(error)
  })
  return false
}

/** The server's log, set aside as `.1` when it has grown too large. */
async function openLog(path: string): Promise<FileHandle> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  )
  if (size > engineLogBytesMax) await rename(path, `${path}.1`)
  return open(path, 'a+', 0o600)
}

const complaintBytes = 2_000

async function complaint(place: Place, log: FileHandle, from: number): Promise<string> {
  const { size } = await log.stat()
  const start = Math.max(from, size - complaintBytes)
  const { buffer } = await log.read(Buffer.alloc(size - start), 0, size - start, start)
  const said = buffer.toString().trim()
  return `The embedded PostgreSQL did not start; ${place.log} ends with: ${said}`
}

/** PostgreSQL's words for: end connections and write everything down; end at once. */
const fast = 'SIGINT'
const immediate = 'SIGQUIT'

/**
 * Ends a server, wherever it was started, and waits for its end. A server that does not end in time
 * is ended at once, which loses nothing that was committed: the next start repeats it from the log.
 * @throws Error if it does not even do that.
 */
export async function stopServer(place: Place, server: Server): Promise<void> {
  for (const signal of [fast, immediate] as const) {
    if (!(await worksOn(server.pid, place.cluster))) break
    signalServer(server.pid, signal)
    await poll(
      async () => ((await worksOn(server.pid, place.cluster)) ? undefined : true),
      engineStopMsMax,
    )
  }
  if (await worksOn(server.pid, place.cluster)) {
    throw new Error(`The embedded PostgreSQL (process ${server.pid}) does not end.`)
  }
  await removeSocketDirectory(place, server.socketDir)
}

/** It may end by itself between the look at it and the signal. */
function signalServer(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
