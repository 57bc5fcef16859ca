import { Fault, limits, namedArguments } from '../../kernel/index.ts'
import type { Operation, ScriptValue, Service, ServiceCall } from '../../scripting/index.ts'
import { frameToSend } from './frames.ts'
import type { Socket } from './socket.ts'
import type { Sockets } from './sockets.ts'

/** What scripts can ask of their solution's websockets, from any of their handlers. */
export function createSocketService(sockets: Pick<Sockets, 'find' | 'of'>): Service {
  const operations: Readonly<Record<string, Operation>> = {
    async send(call, args) {
      const { message, type, ...which } = namedArguments(args, [...whichNames, 'message', 'type'])
      const frame = frameToSend(message, type)
      find(sockets, call, which).send(frame)
      return undefined
    },
    async close(call, args) {
      const { code, reason, ...which } = namedArguments(args, [...whichNames, 'code', 'reason'])
      const end = { code: asCode(code ?? normal), reason: asReason(reason ?? '') }
      find(sockets, call, which).close(end)
      return undefined
    },
    async closeAll({ solutionId }, args) {
      namedArguments(args, [])
      const open = sockets.of(solutionId).filter(({ isOpen }) => isOpen)
      for (const socket of open) socket.close({ code: normal, reason: '' })
      return open.length
    },
    async list({ solutionId }, args) {
      namedArguments(args, [])
      return sockets.of(solutionId).flatMap(({ isOpen, opened }) => (isOpen ? [opened.id] : []))
    },
    async info(call, args) {
      const { fields, openedUs } = find(sockets, call, namedArguments(args, whichNames)).opened
      return { ...fields, opened_at: openedUs }
    },
  }
  return {
    name: 'websocket',
    always: true,
    events: [],
    operation: (name) => (Object.hasOwn(operations, name) ? operations[name] : undefined),
  }
}

/** `server_ip` comes from scripts of the field; the id alone says which socket. */
const whichNames = ['socket_id', 'server_ip'] as const
const normal = 1_000

/** @throws Fault invalid_argument, not_found also where the socket is another solution's. */
function find(
  sockets: Pick<Sockets, 'find'>,
  { solutionId }: ServiceCall,
  { socket_id: id }: { readonly socket_id?: ScriptValue },
): Socket {
  if (typeof id !== 'string') throw new Fault('invalid_argument', 'socket_id must be a string')
  const socket = sockets.find(solutionId, id)
  if (socket?.isOpen === true) return socket
  throw new Fault('not_found', 'The solution has no such socket open.')
}

function asCode(code: ScriptValue): number {
  const isOwn = typeof code === 'number' && Number.isInteger(code) && code >= 3_000 && code <= 4_999
  if (code === normal || isOwn) return code as number
  throw new Fault('invalid_argument', `code must be ${normal}, or from 3000 to 4999`)
}

function asReason(reason: ScriptValue): string {
  const bytesMax = limits.socketReasonBytesMax
  if (typeof reason === 'string' && Buffer.byteLength(reason) <= bytesMax) return reason
  throw new Fault('invalid_argument', `reason must be a text of at most ${bytesMax} bytes`)
}
