import { Fault, limits } from '../../../foundation/kernel/index.ts'
import {
  checkedUrl,
  type DefinitionHost,
  isDefinition,
  type Marketplace,
  type PreparedUse,
  type Use,
} from '../../marketplace/index.ts'
import type { ModuleAnswer } from '../store.ts'
import type { ModuleClient } from './client.ts'
import type { NewModule } from './schema.ts'

/** A module that is used already, at another place. */
type MovedModule = NewModule & {
  readonly moved?: Use
  /** The one that is used now; if left out that of the URL, and then that of the file. */
  readonly host?: DefinitionHost
}

export type IntroduceOptions = {
  readonly marketplace: Pick<Marketplace, 'uses'>
  readonly client: Pick<ModuleClient, 'file' | 'info'>
}

/** A module that was asked who it is; nothing is stored yet. */
export type Introduced = {
  readonly prepared: PreparedUse
  readonly answer: ModuleAnswer
}

/** Asks a module that is to be added who it is, with its credentials. */
export async function introduce(
  options: IntroduceOptions,
  businessId: string,
  given: MovedModule,
): Promise<Introduced> {
  const { prepared, answer } = await askFirst(options, await prepare(options, businessId, given))
  const { use } = prepared
  const isListed = given.listing !== undefined
  const name = checkedName(given.name || (isListed ? use.name : answer.info.name || use.name))
  const listing = isListed ? use.listing : { ...use.listing, name }
  return { prepared: { ...prepared, use: { ...use, name, listing } }, answer }
}

/** The possible addresses of a module. */
type Places = readonly [PreparedUse, (() => PreparedUse)?]

async function prepare(
  { client, marketplace: { uses } }: IntroduceOptions,
  businessId: string,
  { url, base, host, listing, parameters, moved, by = '' }: MovedModule,
): Promise<Places> {
  if ((url === undefined) === (listing === undefined)) {
    throw new Fault('invalid_argument', 'Either the URL of a module or a listing must be given.')
  }
  if (listing !== undefined) return [await uses.prepareListed(businessId, listing, { parameters })]
  const at = checkedUrl(url ?? '')
  const module = { name: new URL(at).host, parameters, moved, by }
  const ofBase = await client.file(businessId, interfaceUrl(at))
  if (base === undefined && ofBase !== undefined && isDefinition(ofBase)) {
    return [uses.prepare(businessId, { ...module, base: at, definition: ofBase })]
  }
  const text = await client.file(businessId, at)
  if (text !== undefined && isDefinition(text)) {
    const file = { ...module, base, definition: text, definitionUrl: at }
    const placeAt = (host: DefinitionHost) => uses.prepare(businessId, { ...file, host })
    return host === undefined ? [placeAt('url'), () => placeAt('file')] : [placeAt(host)]
  }
  if (base === undefined)
    return [uses.prepare(businessId, { ...module, base: at, definition: ofBase })]
  throw new Fault('invalid_argument', 'A base is given, but the URL is not that of a definition.')
}

/** The address of the definition of a module that the template makes. */
function interfaceUrl(base: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/interface`
  return url.href
}

/** Asks the module at its first place, and at the second one if it is not at the first. */
async function askFirst(options: IntroduceOptions, [first, second]: Places): Promise<Introduced> {
  try {
    return { prepared: first, answer: await askInfo(options, first.use) }
  } catch (error) {
    if (second === undefined || !(error instanceof Fault)) throw error
    if (error.code !== 'module_failed') throw error
    const prepared = second()
    const { use } = prepared
    if (use.listing.base === first.use.listing.base) throw error
    const answer = await askInfo(options, use).catch((other: unknown) => {
      throw withBoth(error, other, use)
    })
    return { prepared, answer }
  }
}

/** The failure of a module that is at neither place. */
function withBoth({ detail }: Fault, other: unknown, { listing }: Use): unknown {
  if (!(other instanceof Fault)) return other
  const { host } = new URL(listing.base)
  const words = `The definition names the host ${host}: ${other.detail}`
  const remedy = 'A base (--base) overrides both.'
  return new Fault(other.code, `${detail} ${words} ${remedy}`, { cause: other })
}

/** Asks the module of a use about itself. */
export async function askInfo(
  { client, marketplace: { uses } }: IntroduceOptions,
  use: Use,
): Promise<ModuleAnswer> {
  const { value: info, complaints } = await client.info(use.businessId, uses.endpoints(use).info)
  return { info, complaints }
}

/** @throws Fault invalid_argument */
export function checkedName(name: string): string {
  const { nameCharsMax } = limits
  if (name.length <= nameCharsMax && !name.includes('\0')) return name
  throw new Fault('invalid_argument', `A name has at most ${nameCharsMax} characters.`)
}
