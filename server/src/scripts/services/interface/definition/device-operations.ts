import type { OperationDefinition } from './definition.ts'

/** The operations of a solution of the type P that are those of its devices, and of their files. */
const deviceOperations = [
  'getIdentity',
  'getIdentityState',
  'setIdentityState',
  'listIdentities',
  'countIdentities',
  'updateIdentity',
  'addIdentity',
  'removeIdentity',
  'makeIdentity',
  'addIdentityTag',
  'removeIdentityTag',
  'getIdentityTag',
  'listTagName',
  'addGatewayResource',
  'getGatewayResource',
  'updateGatewayResource',
  'removeGatewayResource',
  'getGatewaySettings',
  'updateGatewaySettings',
] as const

const contentOperations = {
  listContent: 'list',
  infoContent: 'info',
  downloadContent: 'download',
  uploadContent: 'upload',
  deleteContent: 'delete',
  clearContent: 'clear',
} as const

/** The service of the exposing solution that answers an operation without a script. */
export type DefaultCall = { readonly service: string; readonly operation: string }

const calls: ReadonlyMap<string, DefaultCall> = new Map<string, DefaultCall>([
  ...deviceOperations.map((name) => [name, { service: 'device2', operation: name }] as const),
  ...Object.entries(contentOperations).map(
    ([name, operation]) => [name, { service: 'content', operation }] as const,
  ),
])

/** Returns what answers an operation of a solution of the type P that has no script for it. */
export function defaultCall(name: string): DefaultCall | undefined {
  return calls.get(name)
}

/** The operations of the type P that a definition does not list itself. */
export function defaultOperations(
  listed: readonly OperationDefinition[],
): readonly OperationDefinition[] {
  const known = new Set(listed.map(({ name }) => name))
  return [...calls.keys()].filter((name) => !known.has(name)).map((name) => titled({ name }))
}

/** The parameter of these operations' scripts is `operation`, unless the definition names it. */
export function titled(operation: OperationDefinition): OperationDefinition {
  const { name, parameters } = operation
  if (!calls.has(name) || parameters?.title !== undefined) return operation
  return { ...operation, parameters: { ...parameters, title: 'operation' } }
}
