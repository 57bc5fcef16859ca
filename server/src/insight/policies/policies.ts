import type { Transaction } from '../../foundation/database/index.ts'
import {
  checkedName,
  checkedPage,
  checkedText,
  Fault,
  invalid,
  limits,
  newUuid,
} from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import { createInstructions, held } from './instructions.ts'
import { moveGroupPolicies, policyDependants } from './store/business.ts'
import { dropPolicy, holdPolicy, keepPolicy, policyCount, policyPage } from './store/policies.ts'
import type {
  Policies,
  PoliciesOptions,
  Policy,
  PolicyCase,
  PolicyInput,
  PolicyText,
} from './types.ts'
import { openVersion, sweepContents, uploadVersion } from './uploads.ts'

/** Policies of one business. */
const policiesMax = 1_000
/** Translations of one policy. */
const policyTranslationsMax = 50

export function createPolicies(options: PoliciesOptions): Policies {
  const { database, groups, clock, changes } = options
  groups.onRemove({
    dependants: (queryable, businessId, groupId) =>
      policyDependants(queryable, { businessId, groupId }),
    move: moveGroupPolicies,
  })
  return {
    instructions: createInstructions(options),
    uploads: {
      add: (view, id, file) => uploadVersion(options, view, id, file),
      open: (view, id, version) => openVersion(options, view, id, version),
    },
    sweep: () => sweepContents(options),
    list: (view, page) => policyPage(database, view, checkedPage(page)),
    fitting: (view, cases) => fittingPolicies(options, view, cases),
    create: (view, input) =>
      database.transaction(async (transaction) => createPolicy(options, transaction, view, input)),
    update: (view, id, change) =>
      database.transaction(async (transaction) => {
        const before = await heldPolicy(transaction, view, id)
        const after = await changed(options, transaction, view, before, change)
        await keepPolicy(transaction, after)
        changes.publish(transaction, view.businessId, 'assets')
        return after
      }),
    remove: (view, id) =>
      database.transaction(async (transaction) => {
        const gone = await heldPolicy(transaction, view, id)
        await dropPolicy(transaction, view.businessId, gone.id)
        changes.publish(transaction, view.businessId, 'assets')
        return gone
      }),
  }

  async function createPolicy(
    { random }: PoliciesOptions,
    transaction: Transaction,
    view: View,
    input: PolicyInput,
  ): Promise<Policy> {
    const { businessId } = view
    const { id: groupId } = await groups.hold(transaction, view, input.groupId)
    if ((await policyCount(transaction, businessId)) >= policiesMax) {
      throw invalid(`a business has at most ${policiesMax} policies`)
    }
    const at = clock.nowUs()
    const id = newUuid(random, clock.nowMs())
    const empty = { levels: null, category: null, assetType: null, translations: [] }
    const times = { createdAt: at, updatedAt: at }
    const fresh = { id, businessId, groupId, priority: 0, workInstructionId: null }
    const made = { ...fresh, ...empty, ...times }
    const { groupId: _, ...rest } = input
    const policy = await changed(options, transaction, view, made, rest)
    await keepPolicy(transaction, policy)
    changes.publish(transaction, businessId, 'assets')
    return policy
  }
}

async function heldPolicy(transaction: Transaction, view: View, id: string): Promise<Policy> {
  const found = await holdPolicy(transaction, view, id)
  if (found === undefined) throw new Fault('not_found', `There is no policy ${id}.`)
  return found
}

/** Returns the policy after a change; fields that are left out stay. */
async function changed(
  { groups, clock }: PoliciesOptions,
  transaction: Transaction,
  view: View,
  before: Policy,
  change: PolicyInput,
): Promise<Policy> {
  const { groupId, workInstructionId: instructionId, priority, levels } = change
  const place = groupId == null ? undefined : await groups.hold(transaction, view, groupId)
  if (instructionId != null) await held(transaction, view, instructionId)
  if (priority != null && Math.abs(priority) > 1_000_000) {
    throw invalid('a priority is a whole number from -1000000 to 1000000')
  }
  const at = clock.nowUs()
  return {
    ...before,
    groupId: place?.id ?? before.groupId,
    priority: priority ?? before.priority,
    workInstructionId: instructionId === undefined ? before.workInstructionId : instructionId,
    levels: levels === undefined ? before.levels : levels,
    category: nameOr(change.category, before.category),
    assetType: nameOr(change.assetType, before.assetType),
    translations: mergeTexts(change, before.translations, at),
    updatedAt: at,
  }
}

function nameOr(given: string | null | undefined, before: string | null): string | null {
  if (given === undefined) return before
  return given === null ? null : checkedName(given)
}

function mergeTexts(
  { translations }: PolicyInput,
  before: readonly PolicyText[],
  at: number,
): readonly PolicyText[] {
  if (translations == null) return before
  if (translations.length > policyTranslationsMax) {
    throw invalid(`a policy has at most ${policyTranslationsMax} translations`)
  }
  if (new Set(translations.map(({ language }) => language)).size < translations.length) {
    throw invalid('a policy has one translation for each language')
  }
  return translations.map(({ language, name, policy }) => {
    const known = before.find((one) => one.language === language)
    const text = {
      language: checkedName(language),
      name: checkedName(name),
      policy: checkedText(policy, 'a policy', limits.descriptionCharsMax),
    }
    const isSame = known?.name === text.name && known.policy === text.policy
    return { ...text, createdAt: known?.createdAt ?? at, updatedAt: isSame ? known.updatedAt : at }
  })
}

async function fittingPolicies(
  { database, groups }: PoliciesOptions,
  view: View,
  cases: readonly PolicyCase[],
): Promise<(Policy | undefined)[]> {
  const all = await policyPage(database, view, { limit: policiesMax, offset: 0 })
  if (all.length === 0) return cases.map(() => undefined)
  const paths = await groups.paths(view, [...new Set(cases.map(({ groupId }) => groupId))])
  return cases.map((one) =>
    all.find((policy) => isAbout(policy, one, paths.get(one.groupId) ?? [])),
  )
}

function isAbout(policy: Policy, one: PolicyCase, path: readonly string[]): boolean {
  if (policy.levels !== null && !policy.levels.includes(one.level)) return false
  if (policy.category !== null && policy.category !== one.category) return false
  if (policy.assetType !== null && policy.assetType !== one.assetType) return false
  return path.includes(policy.groupId)
}
