import { createContext } from 'react'
import type { ChangeTopic } from '../../api/people/changes.ts'

/** The first parts of the keys of lists that are read again when something of the topic changes. */
const listsOf: Readonly<Record<ChangeTopic, string>> = {
  accounts: 'api-tokens invitations provider roles sign-in users',
  audit: 'audit',
  groups: 'users groups asset assets conditions',
  assets: `asset asset-choice assets comments conditions pipeline pipeline-versions template
    template-versions templates overview`,
  dashboards: 'dashboard dashboards',
  failures: 'failed-calls failures overview',
  connectors: 'authority connectors contents crl devices services overview',
  devices: 'failures connecting device devices recorded rotation windows overview',
  modules: 'listing listings',
  solutions: 'failures definition endpoints script scripts services solutions variables',
}

const topicsOfLists = new Map<string, ChangeTopic[]>()
for (const [topic, lists] of Object.entries(listsOf)) {
  for (const list of lists.split(/\s+/)) {
    topicsOfLists.set(list, [...(topicsOfLists.get(list) ?? []), topic as ChangeTopic])
  }
}

const values = 'Values come all the time: they are read as often as is worth showing.'
const numbers = 'It is counted or measured, and not published.'
const messages = 'The state of each message changes on its way, and is not published.'
const short = 'It is shown for a moment, in a dialog or while something is chosen.'
const own = 'It is of the own account: others must not be sent the times of sign-ins.'
const outside = 'Programs, devices and scripts change it, and that is not published.'
const fixed = 'It does not change while the server runs.'

/** Lists that are read by a timer, with the reason. */
export const timedLists: Readonly<Record<string, string>> = {
  'asset-history': values,
  board: values,
  'board-asset': short,
  'board-assets': short,
  'board-chosen': short,
  'board-signals': short,
  course: values,
  history: values,
  newest: values,
  places: values,
  trace: values,
  arrivals: messages,
  channels: messages,
  send: messages,
  sends: messages,
  campaigns: numbers,
  'device-contents': numbers,
  health: numbers,
  module: numbers,
  modules: numbers,
  retention: numbers,
  usage: numbers,
  addresses: short,
  'call-lines': short,
  dependants: short,
  fitting: short,
  functions: short,
  'module-dependants': short,
  palette: short,
  removal: short,
  'run-log': short,
  search: short,
  'service-settings': short,
  caller: own,
  preferences: own,
  'second-step': own,
  sessions: own,
  bindings: outside,
  offered: 'Other businesses change it, and that is not published to this one.',
  'device-certificates': outside,
  static: outside,
  subscribers: outside,
  'data-types': fixed,
  units: fixed,
}

/** The topics of a query; none if the server sends no changes of what it reads. */
export function topicsFor([first]: readonly unknown[]): readonly ChangeTopic[] {
  return topicsOfLists.get(String(first)) ?? []
}

/** The topics whose changes the server sends now: their lists need no timer but a slow one. */
export const UpdatesContext = createContext<readonly ChangeTopic[]>([])

/** Returns whether the server sends every change of what a query reads. */
export function isPushed(key: readonly unknown[], covered: readonly ChangeTopic[]): boolean {
  const topics = topicsFor(key)
  return topics.length > 0 && topics.every((topic) => covered.includes(topic))
}
