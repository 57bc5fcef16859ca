import { Fault, limits, namedArguments } from '../../kernel/index.ts'
import type { Operation, ScriptValue, Service } from '../../scripting/index.ts'
import { frameToSend } from './frames.ts'
import type { Sockets } from './sockets/sockets.ts'
import type { RemoteCommand } from './store.ts'

type SocketServiceOptions = Pick<Sockets, 'find' | 'of' | 'directory'>

/** The service `websocket`: scripts send to, close and list their solution's websockets. */
export function createSocketService(sockets: SocketServiceOptions): Service {
  const operations = operationsOf(sockets)
  return {
    name: 'websocket',
    always: true,
    events: [],
    operation: (name) => (Object.hasOwn(operations, name) ? operations[name] : undefined),
    removeIn: sockets.directory.removeIn,
  }
}

function operationsOf(sockets: SocketServiceOptions): Readonly<Record<string, Operation>> {
  const { directory } = sockets
  return {
    async send({ solutionId }, args) {
      const { message, type, ...socketName } = namedArguments(args, [
        ...socketNames,
        'message',
        'type',
      ])
      const id = asId(socketName)
      const frame = frameToSend(message, type)
      await run(sockets, solutionId, id, { frame })
      return undefined
    },
    async close({ solutionId }, args) {
      const { code, reason, ...socketName } = namedArguments(args, [
        ...socketNames,
        'code',
        'reason',
      ])
      const end = { code: asCode(code ?? normal), reason: asReason(reason ?? '') }
      await run(sockets, solutionId, asId(socketName), { end })
      return undefined
    },
    async closeAll({ solutionId }, args) {
      namedArguments(args, [])
      const end = { code: normal, reason: '' }
      const open = openOf(sockets, solutionId)
      for (const socket of open) socket.close(end)
      return open.length + (await directory.closeOthers(solutionId, end))
    },
    async list({ solutionId }, args) {
      namedArguments(args, [])
      const others = await directory.others(solutionId)
      return [...openOf(sockets, solutionId).map(({ opened }) => opened), ...others].map(
        ({ id }) => id,
      )
    },
    async info({ solutionId }, args) {
      const id = asId(namedArguments(args, socketNames))
      const socket = openOf(sockets, solutionId).find(({ opened }) => opened.id === id)
      if (socket !== undefined) {
        return { ...socket.opened.fields, opened_at: socket.opened.openedUs }
      }
      const other = (await directory.others(solutionId)).find((one) => one.id === id)
      if (other === undefined) throw notOpen()
      return { socket_id: id, route: other.route, opened_at: other.openedUs }
    },
  }
}

/** Existing scripts pass `server_ip`, too; the id alone identifies a socket. */
const socketNames = ['socket_id', 'server_ip'] as const
const normal = 1_000
const notOpen = () => new Fault('not_found', 'The solution has no such socket open.')

/**
 * Runs a command here, or in the process that has the socket. @throws Fault not_found, overloaded
 */
async function run(
  { find, directory }: SocketServiceOptions,
  solutionId: string,
  id: string,
  command: RemoteCommand,
): Promise<void> {
  const socket = find(solutionId, id)
  if (socket === undefined) return directory.forward(solutionId, id, command)
  if (!socket.isOpen) throw notOpen()
  if (command.end === undefined) socket.send(command.frame)
  else socket.close(command.end)
}

function openOf({ of }: SocketServiceOptions, solutionId: string) {
  return of(solutionId).filter(({ isOpen }) => isOpen)
}

function asId({ socket_id: id }: { readonly socket_id?: ScriptValue }): string {
  if (typeof id === 'string' && /^[a-z0-9]+$/.test(id)) return id
  throw new Fault('invalid_argument', 'socket_id must be a string of letters and digits')
}

function asCode(code: ScriptValue): number {
  const isOwn = typeof code === 'number' && Number.isInteger(code) && code >= 3_000 && code <= 4_999
  if (code === normal || isOwn) return code as number
  throw new Fault('invalid_argument', `code must be ${normal}, or from 3000 to 4999`)
}

function asReason(reason: ScriptValue): string {
  const bytesMax = limits.socketReasonBytesMax
  const isText = typeof reason === 'string' && !reason.includes('\0')
  if (isText && Buffer.byteLength(reason) <= bytesMax) return reason
  throw new Fault('invalid_argument', `reason must be a text of at most ${bytesMax} bytes`)
}
