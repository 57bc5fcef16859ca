import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault, type ProcessRole } from '../../foundation/kernel/index.ts'
import { sendFault } from './node-answers.ts'
import type { HandlerName } from './routes.ts'

const handlerRoles = {
  deviceApi: 'device',
  notifications: 'api',
  solution: 'api',
  sharedSolution: 'api',
  graphql: 'api',
  management: 'api',
  refuseMissingHost: undefined,
  refuseForeignHost: undefined,
} as const satisfies Readonly<Record<HandlerName, ProcessRole | undefined>>

/** Returns the role that answers a request; undefined if every process does. */
export function roleFor(handler: HandlerName, url = '/'): ProcessRole | undefined {
  const isHealth = handler === 'management' && url.split('?', 1)[0] === '/healthz'
  return isHealth ? undefined : handlerRoles[handler]
}

/** Refuses a request that a proxy should have sent to another process. */
export function refuseRole(
  message: IncomingMessage,
  response: ServerResponse,
  role: ProcessRole,
  roles: readonly ProcessRole[],
): void {
  const sentence = `This needs a process with the role ${role}; this one has ${roles.join(', ')}.`
  sendFault(message, response, new Fault('wrong_role', sentence))
}
