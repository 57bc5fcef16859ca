import { webserviceLimits } from '../limits.ts'
import type { SocketEntry } from './socket-directory.ts'

/** Counts the bytes that were sent and that clients have not read yet. */
export type SendBuffers = {
  /**
   * @returns a function that releases the bytes once they are written, or the limit that is full.
   */
  take(
    socket: Pick<SocketEntry, 'id' | 'solutionId'>,
    bytes: number,
  ): (() => void) | 'of_socket' | 'of_all'
}

export function createSendBuffers(): SendBuffers {
  const buffered = new Map<string, number>()

  function add(key: string, bytes: number): void {
    const sum = (buffered.get(key) ?? 0) + bytes
    if (sum > 0) buffered.set(key, sum)
    else buffered.delete(key)
  }

  return {
    take({ id, solutionId }, bytes) {
      const keys = [`socket ${id}`, `solution ${solutionId}`, 'all'] as const
      const [ofSocket, ofSolution, ofAll] = keys.map((key) => buffered.get(key) ?? 0)
      // A client that has read everything may always be sent one message, whatever its size.
      if ((ofSocket ?? 0) > webserviceLimits.socketUnreadBytesMax) return 'of_socket'
      if ((ofSolution ?? 0) > webserviceLimits.socketsUnreadOfSolutionBytesMax) return 'of_all'
      if ((ofAll ?? 0) > webserviceLimits.socketsUnreadBytesMax) return 'of_all'
      for (const key of keys) add(key, bytes)
      return () => {
        for (const key of keys) add(key, -bytes)
      }
    },
  }
}
