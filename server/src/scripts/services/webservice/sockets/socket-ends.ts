import type { Fault } from '../../../../foundation/kernel/index.ts'

/** The code and reason with which the platform closes a websocket. */
export type SocketEnd = { readonly code: number; readonly reason: string }

export const socketEnds = {
  gone: { code: 1001, reason: 'The endpoint is gone.' },
  stopping: { code: 1001, reason: 'The platform is stopping.' },
  credential: { code: 1008, reason: 'The credential is not known any more.' },
  flood: { code: 1008, reason: 'Too many messages wait to be handled.' },
  notReading: { code: 1008, reason: 'What was sent is not read.' },
  later: { code: 1013, reason: 'Try again later.' },
  failed: { code: 1011, reason: 'The script failed.' },
  refused: { code: 1011, reason: 'The script returned an answer that cannot be sent.' },
  internal: { code: 1011, reason: 'internal' },
  tooLarge: { code: 1009, reason: 'The message holds more than the solution takes.' },
} as const satisfies Record<string, SocketEnd>

/** Maps a script call that did not return to the close of its socket. */
export function toSocketEnd({ code }: Fault): SocketEnd {
  switch (code) {
    case 'not_found':
      return socketEnds.gone
    case 'too_many_requests':
    case 'overloaded':
      return socketEnds.later
    case 'too_large':
      return socketEnds.tooLarge
    default:
      return socketEnds.failed
  }
}
