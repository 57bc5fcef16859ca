import { Fault, type Implementation, implement } from '../../../foundation/kernel/index.ts'
import type { Service, ServiceCall } from '../../scripting/index.ts'
import { frameToSend } from './frames.ts'
import { normalEnd, websocketOperations } from './operations.ts'
import type { Sockets } from './sockets/sockets.ts'
import type { RemoteCommand } from './store/sockets.ts'

type SocketServiceOptions = Pick<Sockets, 'find' | 'of' | 'directory'>

/** The service `websocket`: scripts send to, close and list their solution's websockets. */
export function createSocketService(sockets: SocketServiceOptions): Service {
  return {
    name: 'websocket',
    always: true,
    events: [],
    operation: implement(websocketOperations, makeImplementation(sockets)),
    removeIn: sockets.directory.removeIn,
  }
}

function makeImplementation(
  sockets: SocketServiceOptions,
): Implementation<ServiceCall, typeof websocketOperations.schemas> {
  const { directory } = sockets
  return {
    async send({ solutionId }, { socket_id, message, type }) {
      await run(sockets, solutionId, socket_id, { frame: frameToSend(message, type) })
      return undefined
    },
    async close({ solutionId }, { socket_id, code, reason }) {
      await run(sockets, solutionId, socket_id, { end: { code, reason } })
      return undefined
    },
    async closeAll({ solutionId }) {
      const end = { code: normalEnd, reason: '' }
      const open = listOpen(sockets, solutionId)
      for (const socket of open) socket.close(end)
      return open.length + (await directory.closeOthers(solutionId, end))
    },
    async list({ solutionId }) {
      const others = await directory.others(solutionId)
      return [...listOpen(sockets, solutionId).map(({ opened }) => opened), ...others].map(
        ({ id }) => id,
      )
    },
    async info({ solutionId }, { socket_id: id }) {
      const socket = listOpen(sockets, solutionId).find(({ opened }) => opened.id === id)
      if (socket !== undefined) {
        const { fields, openedUs } = socket.opened
        return { ...fields, route: String(fields.route), socket_id: id, opened_at: openedUs }
      }
      const other = (await directory.others(solutionId)).find((one) => one.id === id)
      if (other === undefined) throw notOpen()
      return { socket_id: id, route: other.route, opened_at: other.openedUs }
    },
  }
}

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

function listOpen({ of }: SocketServiceOptions, solutionId: string) {
  return of(solutionId).filter(({ isOpen }) => isOpen)
}
