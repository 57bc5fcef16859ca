/** The kinds of things of a business that change, with a sentence about each. */
export const changeTopics = {
  accounts: 'Users, roles, invitations, API tokens and the sign-in.',
  groups: 'The tree of groups.',
  assets: 'Assets, signals, pipelines, templates, statuses and conditions.',
  dashboards: 'Dashboards.',
  connectors: 'Connectors, their contents and certificates.',
  devices: 'Devices: their identities, connections and values.',
  solutions: 'Solutions: scripts, services, settings and runs.',
  failures: 'What failed for good, at every stage.',
  modules: 'Insight modules and listings.',
  audit: 'The audit log.',
} as const

export type ChangeTopic = keyof typeof changeTopics

export const allTopics: ReadonlySet<ChangeTopic> = new Set(
  Object.keys(changeTopics) as ChangeTopic[],
)

/** The topics whose changes state the groups in which they are seen. */
export const topicsInGroups: ReadonlySet<ChangeTopic> = new Set(['groups', 'assets', 'dashboards'])
