import { Fault, limits } from '../../kernel/index.ts'
import {
  checkedUrl,
  type Marketplace,
  type ParameterValues,
  type PreparedUse,
  type Use,
} from '../../marketplace/index.ts'
import type { ModuleAnswer } from '../store.ts'
import type { ModuleClient } from './client.ts'

export type NewModule = {
  /** The module's own if none is given. */
  readonly name?: string | null | undefined
  /** Its base; in place of a listing. */
  readonly url?: string | undefined
  /** The id of the listing that is used. */
  readonly listing?: string | undefined
  /** Values of its parameters, by name. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /** The user or API token that adds it; unknown if left out. */
  readonly by?: string
}

/** A module that is used already, at another place; its values stay. */
type MovedModule = NewModule & { readonly values?: ParameterValues }

export type IntroduceOptions = {
  readonly marketplace: Pick<Marketplace, 'uses'>
  readonly client: Pick<ModuleClient, 'interfaceFile' | 'info'>
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
  const prepared = await prepare(options, businessId, given)
  const { use } = prepared
  const answer = await askInfo(options, use)
  const isListed = given.listing !== undefined
  const name = checkedName(given.name || (isListed ? use.name : answer.info.name || use.name))
  const listing = isListed ? use.listing : { ...use.listing, name }
  return { prepared: { ...prepared, use: { ...use, name, listing } }, answer }
}

async function prepare(
  { client, marketplace: { uses } }: IntroduceOptions,
  businessId: string,
  { url, listing, parameters, values, by = '' }: MovedModule,
): Promise<PreparedUse> {
  if ((url === undefined) === (listing === undefined)) {
    throw new Fault('invalid_argument', 'Either the URL of a module or a listing must be given.')
  }
  if (listing !== undefined) return uses.prepareListed(businessId, listing, { parameters })
  const base = checkedUrl(url ?? '')
  const definition = await client.interfaceFile(businessId, base)
  const name = new URL(base).host
  return uses.prepare(businessId, { name, base, definition, parameters, values, by })
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
