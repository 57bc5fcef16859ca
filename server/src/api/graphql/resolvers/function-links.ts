import type { Link, LinkCheck } from '../../../insight/pipelines/index.ts'
import type { Context } from '../context.ts'
import type { Resolvers } from '../generated/resolvers.ts'
import { valueToText } from './signal.ts'

const checkTypes = {
  boolean: 'LinkageCheckBoolean',
  string: 'LinkageCheckString',
  number: 'LinkageCheckNumber',
  time: 'LinkageCheckTime',
  json: 'LinkageCheckJSON',
} as const

const kind = ({ type }: LinkCheck) => type
const invert = ({ not }: LinkCheck) => not === true

/** The fields that functions of all kinds have. */
const linkFields = {
  insight_id: ({ moduleId }: Link) => moduleId,
  function_id: ({ functionId }: Link) => functionId,
  group_id: ({ groupId }: Link) => groupId || null,
  locked: ({ assetId }: Link, _: unknown, { loaders }: Context) => loaders.isLocked(assetId),
  checks: groupChecks,
  templateOverrides: () => null,
  subscribes: ({ inlets, insight }: Link) =>
    inlets.map((id, at) => ({ id, tag: insight.inlets[at]?.tag ?? String(at) })),
}

export const functionLinkResolvers = {
  Asset: {
    transformations: ({ id }, _, context) => loadLinks(context, id, 'transform'),
    rules: ({ id }, _, context) => loadLinks(context, id, 'rule'),
    rulez: ({ id }, _, context) => loadLinks(context, id, 'rule'),
    actions: ({ id }, _, context) => loadLinks(context, id, 'action'),
  },
  Transformation: { __resolveType: () => 'InsightTransformation' },
  LinkageCheck: { __resolveType: ({ type }) => checkTypes[type] },
  LinkageCheckBoolean: { kind, invert: ({ is, not }) => (is === false) !== (not === true) },
  LinkageCheckString: { kind, invert, contains: ({ contains }) => contains },
  LinkageCheckNumber: {
    kind,
    inside: ({ not }) => not !== true,
    upper: ({ maximum }) => maximum,
    lower: ({ minimum }) => minimum,
  },
  LinkageCheckTime: {
    kind,
    invert,
    range: ({ days, from, to }) => ({ days: days ?? null, from: from ?? null, to: to ?? null }),
    tz: ({ timeZone }) => timeZone ?? 'UTC',
  },
  LinkageCheckJSON: {
    kind,
    invert,
    path: ({ path }) => path ?? '$',
    equals: ({ equals }) => equals,
  },
  InsightTransformation: {
    ...linkFields,
    publishes: ({ outlets }: Link) => outlets.map((id) => ({ id })),
  },
  Rule: {
    ...linkFields,
    category: readCategory,
    data: (rule, { options }, { loaders }) => loaders.ruleEvents(rule, options ?? {}),
  },
  Action: { ...linkFields, action_definition_id: () => null },
  StatusDatapoint: {
    timestamp: ({ ts }) => ts,
    level: ({ name }) => name,
    valueString: ({ value }) => (value == null ? null : valueToText(value)),
    additionalFields: ({ ruleId, signalId }) => ({ ruleId, signalId }),
  },
} satisfies Resolvers

/** A check of no inlet and no outlet is one of each inlet. */
function groupChecks({ checks, inlets, outlets }: Link) {
  const at = (ids: readonly string[], place: number, check: LinkCheck) => {
    const id = ids[place]
    return id === undefined ? [] : [{ id, check }]
  }
  const pre = checks.flatMap((check) => {
    if (check.outlet !== undefined) return []
    if (check.inlet !== undefined) return at(inlets, check.inlet, check)
    return inlets.map((id) => ({ id, check }))
  })
  const post = checks.flatMap((check) => {
    return check.outlet === undefined ? [] : at(outlets, check.outlet, check)
  })
  return { pre, post }
}

async function loadLinks({ loaders }: Context, assetId: string, type: Link['insight']['type']) {
  return (await loaders.links(assetId)).filter(({ insight }) => insight.type === type)
}

/** The category that the rule's constants give, as the platform reads it. */
function readCategory({ constants }: Link): string {
  const { category } = constants
  return typeof category === 'string' && category !== '' ? category : 'default'
}
