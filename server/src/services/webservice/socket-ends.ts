import type { Fault } from '../../kernel/index.ts'

/** How the platform ends a websocket: what the client is told. */
export type SocketEnd = { readonly code: number; readonly reason: string }

export const socketEnds = {
  gone: { code: 1001, reason: 'The endpoint is gone.' },
  stopping: { code: 1001, reason: 'The platform is stopping.' },
  credential: { code: 1008, reason: 'The credential is not known any more.' },
  flood: { code: 1008, reason: 'Too many messages wait to be handled.' },
  unread: { code: 1008, reason: 'What was sent is not read.' },
  later: { code: 1013, reason: 'Try again later.' },
  failed: { code: 1011, reason: 'The script failed.' },
  refused: { code: 1011, reason: 'The script gave an answer that cannot be sent.' },
  internal: { code: 1011, reason: 'internal' },
  tooLarge: { code: 1009, reason: 'The message holds more than the solution takes.' },
} as const satisfies Record<string, SocketEnd>

/** What a call of a script that did not return means for its socket. */
export function socketEndOf({ code }: Fault): SocketEnd {
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
