import { createContext } from 'react'
import type { ChangeTopic } from '../../api/people/changes.ts'

/** What the lists are about, by the first part of their keys: a change of it reads them again. */
const topicsOfLists: Readonly<Record<string, readonly ChangeTopic[]>> = {
  'api-tokens': ['accounts'],
  invitations: ['accounts'],
  provider: ['accounts'],
  roles: ['accounts'],
  'sign-in': ['accounts'],
  users: ['accounts', 'groups'],
  groups: ['groups'],
  asset: ['assets', 'groups'],
  'asset-choice': ['assets'],
  assets: ['assets', 'groups'],
  comments: ['assets'],
  conditions: ['assets', 'groups'],
  dashboard: ['dashboards'],
  dashboards: ['dashboards'],
  'failed-calls': ['failures'],
  failures: ['failures', 'devices', 'solutions'],
  pipeline: ['assets'],
  'pipeline-versions': ['assets'],
  template: ['assets'],
  templates: ['assets'],
  authority: ['connectors'],
  connecting: ['devices'],
  connectors: ['connectors'],
  contents: ['connectors'],
  crl: ['connectors'],
  device: ['devices'],
  devices: ['devices', 'connectors'],
  recorded: ['devices'],
  rotation: ['devices'],
  windows: ['devices'],
  listing: ['modules'],
  listings: ['modules'],
  definition: ['solutions'],
  endpoints: ['solutions'],
  script: ['solutions'],
  scripts: ['solutions'],
  services: ['solutions', 'connectors'],
  solutions: ['solutions'],
  variables: ['solutions'],
}

/** The topics of a query; none if the server sends no changes of what it reads. */
export function topicsOf([first]: readonly unknown[]): readonly ChangeTopic[] {
  return topicsOfLists[String(first)] ?? []
}

/** The topics whose changes the server sends now: their lists need no timer but a slow one. */
export const UpdatesContext = createContext<readonly ChangeTopic[]>([])

/** Whether the server sends every change of what a query reads. */
export function isPushed(key: readonly unknown[], covered: readonly ChangeTopic[]): boolean {
  const topics = topicsOf(key)
  return topics.length > 0 && topics.every((topic) => covered.includes(topic))
}
