import { Fault, limits, parseOwnJson } from '../../foundation/kernel/index.ts'
import type { Asset, Assets } from '../../insight/assets/index.ts'
import type {
  InstructionVersion,
  Policies,
  Policy,
  PolicyCase,
  WorkInstruction,
} from '../../insight/policies/index.ts'
import {
  type Accounts,
  type Principal,
  parseUserId,
  type User,
} from '../../people/accounts/index.ts'
import type { Work } from './limits/work.ts'
import { loader } from './loader.ts'

/** The modules of which these loaders read. */
export type RecordOptions = {
  readonly accounts: Accounts
  readonly assets: Assets
  readonly policies: Policies
}

/** Loaders of what records of the past and their policies name: each kind in one statement. */
export type RecordLoaders = ReturnType<typeof createRecordLoaders>

export function createRecordLoaders(
  { accounts, assets, policies }: RecordOptions,
  principal: Principal,
  work: Work,
) {
  const { view } = principal
  const { instructions } = policies
  const assetsById = loader<Asset | null>(work, null, async (ids) => {
    return byId(await assets.some(view, ids))
  })
  const users = loader<User | null>(work, null, async (ids) => {
    return byId(await accounts.someUsers(principal, ids))
  })
  const fitting = loader<Policy | null>(work, null, async (keys) => {
    const found = await policies.fitting(
      view,
      keys.map((key) => parseOwnJson<PolicyCase>(key)),
    )
    return new Map(keys.map((key, at) => [key, found[at] ?? null]))
  })
  const named = loader<WorkInstruction | null>(work, null, async (ids) => {
    return byId(await instructions.list(view, { ids }, { limit: ids.length }))
  })
  const versions = loader<readonly InstructionVersion[]>(work, [], (ids) =>
    instructions.versions(view, ids),
  )
  const data = loader<Buffer | null>(work, null, (ids) => instructions.data(view, ids))
  let bytes = 0

  return {
    /** Null if the view does not see it. */
    asset: (id: string) => assetsById.load(id),
    /** The user of a subject; null for a program, the platform, and a user who is gone. */
    loadUser(subject: string | null): Promise<User | null> | null {
      const id = subject === null ? undefined : parseUserId(subject)
      return id === undefined ? null : users.load(id)
    },
    policyFor: (one: PolicyCase) => fitting.load(JSON.stringify(one)),
    instruction: (id: string) => named.load(id),
    instructionVersions: (id: string) => versions.load(id),
    /** In base64. @throws Fault too_complex for more bytes than one answer has. */
    async fileData({ id, bytes: size }: InstructionVersion): Promise<string | null> {
      bytes += size
      if (bytes > limits.stateBytesMax) {
        const text = `The files have more than ${limits.stateBytesMax} bytes. Ask for fewer.`
        throw new Fault('too_complex', text)
      }
      return (await data.load(id))?.toString('base64') ?? null
    },
  }
}

function byId<Thing extends { readonly id: string }>(
  things: readonly Thing[],
): ReadonlyMap<string, Thing> {
  return new Map(things.map((thing) => [thing.id, thing]))
}
