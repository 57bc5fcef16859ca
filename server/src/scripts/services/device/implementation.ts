import type { IdentityPage, Provisioning } from '../../../devices/provisioning/index.ts'
import {
  Fault,
  type Implementation,
  isJsonObject,
  limits,
} from '../../../foundation/kernel/index.ts'
import type { ServiceCall } from '../../scripting/index.ts'
import {
  changedTags,
  filterInput,
  listInput,
  readCredential,
  valuesIn,
  whitelistInput,
} from './arguments.ts'
import { gatewayOperations } from './gateway.ts'
import { deviceOperations } from './operations.ts'

export type DevicesOptions = Pick<Provisioning, 'connectors' | 'identities' | 'state' | 'setState'>

type Operations = Implementation<ServiceCall, typeof deviceOperations.schemas>

/** The result of a write for existing programs. */
const written = { status: 204 } as const

/** The operations on one connector; the same ones that its operators have. */
export function makeImplementation(options: DevicesOptions, connectorId: string): Operations {
  const { identities, state, setState } = options
  const add = adding(options, connectorId)
  const updateIdentity: Operations['updateIdentity'] = async ({ businessId }, args) => {
    await identities.change(businessId, connectorId, args.identity, whitelistInput(args))
    return written
  }
  return {
    getIdentity: ({ businessId }, { identity }) =>
      identities.get(businessId, connectorId, identity),
    getIdentityState: ({ businessId }, { identity }) =>
      codeInText(state(businessId, connectorId, identity)),
    async listIdentities({ businessId }, args) {
      const { input, more } = listInput(args)
      return fitting(await identities.list(businessId, connectorId, input, more))
    },
    async countIdentities({ businessId }, args) {
      const { input, more } = filterInput(args)
      return { count: await identities.count(businessId, connectorId, input, more) }
    },
    async setIdentityState({ businessId }, { identity, ...values }) {
      await setState(businessId, connectorId, identity, valuesIn(values))
      return written
    },
    ...add,
    setIdentity: updateIdentity,
    updateIdentity,
    updateIdentities: (call, { identities: many }) =>
      each(many, (one) => updateIdentity(call, deviceOperations.parse('updateIdentity', one))),
    async removeIdentity({ businessId }, { identity }) {
      await identities.remove(businessId, connectorId, identity)
      return written
    },
    ...tagOperations(options, connectorId),
    ...gatewayOperations(options.connectors, connectorId),
  }
}

function adding(
  { identities }: DevicesOptions,
  connectorId: string,
): Pick<Operations, 'addIdentity' | 'addIdentities' | 'makeIdentity'> {
  const addIdentity: Operations['addIdentity'] = async ({ businessId }, args) => {
    const where = [businessId, connectorId, args.identity] as const
    const credential = readCredential(args)
    if (credential === undefined) await identities.add(...where, whitelistInput(args))
    else await identities.addProvisioned(...where, credential, whitelistInput(unproven(args)))
    return written
  }
  return {
    addIdentity,
    addIdentities: (call, { identities: many }) =>
      each(many, (one) => addIdentity(call, deviceOperations.parse('addIdentity', one))),
    async makeIdentity({ businessId }, args) {
      const { identity, auth } = args
      if ((auth.type ?? 'token') !== 'token' || auth.key !== undefined) {
        throw new Fault('invalid_argument', 'auth can only have expire: a token is made')
      }
      const where = [businessId, connectorId, identity] as const
      const key = await identities.addProvisioned(
        ...where,
        { type: 'token' },
        whitelistInput(unproven(args)),
      )
      return { identity, auth: { type: 'token', key } }
    },
  }
}

/** The same without the credential. */
function unproven<Args extends { readonly auth: { expire?: unknown } }>(args: Args) {
  const { expire } = args.auth
  return { ...args, auth: expire === undefined ? {} : { expire } } as Args
}

/** Existing scripts read the code out of the text of the error. */
async function codeInText<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'unknown_identity') throw error
    const text = JSON.stringify({ code: error.status, message: error.detail })
    throw new Fault(error.code, text, { cause: error })
  }
}

function tagOperations({ identities }: DevicesOptions, connectorId: string) {
  const addTags: Operations['addIdentityTag'] = async ({ businessId }, { replace, ...args }) => {
    const change = { add: changedTags('add', args), replace: replace === true }
    await identities.changeTags(businessId, connectorId, args.identity, change)
    return written
  }
  const removeTags: Operations['removeIdentityTag'] = async ({ businessId }, args) => {
    const change = { remove: changedTags('remove', args) }
    await identities.changeTags(businessId, connectorId, args.identity, change)
    return written
  }
  const listNames: Operations['listTagName'] = async ({ businessId }) => ({
    names: await identities.tagNames(businessId, connectorId),
  })
  const getIdentityTag: Operations['getIdentityTag'] = async ({ businessId }, args) => {
    const { tags } = await identities.get(businessId, connectorId, args.identity)
    return { tags: tags.filter(({ name }) => args.name === undefined || name === args.name) }
  }
  return {
    addIdentityTag: addTags,
    addIdentityTags: addTags,
    removeIdentityTag: removeTags,
    removeIdentityTags: removeTags,
    getIdentityTag,
    listTagName: listNames,
    listTagNames: listNames,
  }
}

type Done = { readonly identity: string; readonly status: number; readonly error?: string }

/** Runs one call after the other; what fails stands in its place. */
async function each(
  many: readonly unknown[],
  run: (one: unknown) => Promise<unknown>,
): Promise<Done[]> {
  const ended: Done[] = []
  for (const one of many) {
    const given = isJsonObject(one) ? one.identity : undefined
    const identity = typeof given === 'string' ? given.slice(0, limits.identityCharsMax) : ''
    try {
      await run(one)
      ended.push({ identity, status: 204 })
    } catch (error) {
      if (!(error instanceof Fault) || error.status >= 500) throw error
      ended.push({ identity, status: error.status, error: error.detail })
    }
  }
  return ended
}

/** The size of the answer without its devices. */
const around = { bytes: 100, nodes: 10 }

/**
 * Returns as many devices of a page as fit in the answer of one call; the next call gets the rest.
 * A device that is too much alone stays, and the call of its script fails.
 */
export function fitting({ devices, mayLoadMore, total }: IdentityPage): IdentityPage {
  let { bytes, nodes } = around
  const first = devices.findIndex((device) => {
    bytes += JSON.stringify(device).length
    nodes += countNodes(device)
    return bytes > limits.scriptValueBytesMax || nodes > limits.scriptValueNodesMax
  })
  if (first === -1) return { devices, mayLoadMore, total }
  return { devices: devices.slice(0, Math.max(1, first)), mayLoadMore: true, total }
}

function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, one) => sum + countNodes(one), 1)
}
