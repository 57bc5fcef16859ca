import { limits } from '../../kernel/index.ts'
import type { Opened } from './socket.ts'

/** What was sent and that clients have not taken yet. */
export type Unread = {
  /** @returns what gives the bytes back once they went out, or of what there is too much. */
  take(
    socket: Pick<Opened, 'id' | 'solutionId'>,
    bytes: number,
  ): (() => void) | 'of_socket' | 'of_all'
}

export function createUnread(): Unread {
  const held = new Map<string, number>()

  function add(key: string, bytes: number): void {
    const sum = (held.get(key) ?? 0) + bytes
    if (sum > 0) held.set(key, sum)
    else held.delete(key)
  }

  return {
    take({ id, solutionId }, bytes) {
      const keys = [`socket ${id}`, `solution ${solutionId}`, 'all'] as const
      const [ofSocket, ofSolution, ofAll] = keys.map((key) => held.get(key) ?? 0)
      // One message of any size may always go to a client that has read the others.
      if ((ofSocket ?? 0) > limits.socketUnreadBytesMax) return 'of_socket'
      if ((ofSolution ?? 0) > limits.socketsUnreadOfSolutionBytesMax) return 'of_all'
      if ((ofAll ?? 0) > limits.socketsUnreadBytesMax) return 'of_all'
      for (const key of keys) add(key, bytes)
      return () => {
        for (const key of keys) add(key, -bytes)
      }
    },
  }
}
