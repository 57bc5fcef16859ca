import type { Link } from '../../pipelines/index.ts'
import type { Context } from '../context.ts'
import type { Resolvers } from '../generated/resolvers.ts'
import { textOf } from './signal.ts'

const noChecks = { pre: [], post: [] }

/** What functions of all kinds have. */
const linkFields = {
  insight_id: ({ moduleId }: Link) => moduleId,
  function_id: ({ functionId }: Link) => functionId,
  group_id: ({ groupId }: Link) => groupId || null,
  locked: ({ assetId }: Link, _: unknown, { loaders }: Context) => loaders.isLocked(assetId),
  checks: () => noChecks,
  templateOverrides: () => null,
  subscribes: ({ inlets, insight }: Link) =>
    inlets.map((id, at) => ({ id, tag: insight.inlets[at]?.tag ?? String(at) })),
}

export const functionLinkResolvers = {
  Asset: {
    transformations: ({ id }, _, context) => linksOf(context, id, 'transform'),
    rules: ({ id }, _, context) => linksOf(context, id, 'rule'),
    rulez: ({ id }, _, context) => linksOf(context, id, 'rule'),
    actions: ({ id }, _, context) => linksOf(context, id, 'action'),
  },
  Transformation: { __resolveType: () => 'InsightTransformation' },
  LinkageCheck: { __resolveType: () => 'LinkageCheckJSON' },
  InsightTransformation: {
    ...linkFields,
    publishes: ({ outlets }: Link) => outlets.map((id) => ({ id })),
  },
  Rule: {
    ...linkFields,
    category: categoryOf,
    data: (rule, { options }, { loaders }) => loaders.ruleEvents(rule, options ?? {}),
  },
  Action: { ...linkFields, action_definition_id: () => null },
  StatusDatapoint: {
    timestamp: ({ ts }) => ts,
    level: ({ name }) => name,
    valueString: ({ value }) => (value == null ? null : textOf(value)),
    additionalFields: ({ ruleId, signalId }) => ({ ruleId, signalId }),
  },
} satisfies Resolvers

async function linksOf({ loaders }: Context, assetId: string, type: Link['insight']['type']) {
  return (await loaders.links(assetId)).filter(({ insight }) => insight.type === type)
}

/** The category that the rule's constants give, as the platform reads it. */
function categoryOf({ constants }: Link): string {
  const { category } = constants
  return typeof category === 'string' && category !== '' ? category : 'default'
}
