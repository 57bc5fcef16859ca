import { limits } from '../../kernel/index.ts'
import type { Server } from './client.ts'
import type { Place } from './place.ts'
import { poll } from './poll.ts'
import { worksOn } from './processes.ts'
import { removeSocketDirectory } from './socket.ts'

/** PostgreSQL's words for: end connections and write everything down; end at once. */
const fast = 'SIGINT'
const immediate = 'SIGQUIT'

/**
 * Ends a server, wherever it was started, and waits for its end. One that does not end in time is
 * ended at once, which loses nothing that was committed: the next start repeats it from the log.
 * @throws Error where it does not even do that.
 */
export async function stopServer(place: Place, server: Server): Promise<void> {
  for (const signal of [fast, immediate] as const) {
    if (!(await worksOn(server.pid, place.cluster))) break
    process.kill(server.pid, signal)
    await poll(
      async () => ((await worksOn(server.pid, place.cluster)) ? undefined : true),
      limits.engineStopMsMax,
    )
  }
  if (await worksOn(server.pid, place.cluster)) {
    throw new Error(`The embedded PostgreSQL (process ${server.pid}) does not end.`)
  }
  await removeSocketDirectory(place, server.socketDir)
}
