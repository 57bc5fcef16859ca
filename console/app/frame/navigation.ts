import type { IconName } from '../components/icon.tsx'
import { defineTexts } from '../ui/texts.ts'

const texts = defineTexts({
  overview: ['Overview', 'Übersicht'],
  connectors: ['Connectors', 'Konnektoren'],
  assets: ['Assets', 'Anlagen'],
  conditions: ['Conditions', 'Zustände'],
  dashboards: ['Dashboards', 'Dashboards'],
  solutions: ['Solutions', 'Lösungen'],
  marketplace: ['Marketplace', 'Marktplatz'],
  failures: ['Failures', 'Fehlschläge'],
  setup: ['Setup', 'Einrichtung'],
  explorer: ['Explorer', 'Explorer'],
})

/** The names of the parts of the console. */
export const navigationTexts = texts

/** A part of the console: its address, and the permissions of which one suffices. */
export type Part = {
  readonly name: keyof typeof texts.en
  readonly path: string
  readonly icon: IconName
  readonly permissions?: readonly string[]
}

/** In the order of the data's path: from devices to people. */
export const parts: readonly Part[] = [
  { name: 'overview', path: '/', icon: 'home' },
  { name: 'connectors', path: '/connectors', icon: 'device', permissions: ['Setup'] },
  { name: 'assets', path: '/assets', icon: 'asset', permissions: ['View Asset'] },
  { name: 'conditions', path: '/conditions', icon: 'bell', permissions: ['View Asset Data'] },
  { name: 'dashboards', path: '/dashboards', icon: 'chart', permissions: ['View Asset'] },
  { name: 'solutions', path: '/solutions', icon: 'code', permissions: ['Setup'] },
  { name: 'marketplace', path: '/marketplace', icon: 'store', permissions: ['Setup'] },
  { name: 'failures', path: '/failures', icon: 'warning', permissions: ['Setup'] },
  {
    name: 'setup',
    path: '/setup',
    icon: 'setup',
    permissions: ['Setup', 'User Management', 'Group Management'],
  },
  { name: 'explorer', path: '/explorer', icon: 'query' },
]
